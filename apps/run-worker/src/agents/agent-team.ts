import { isRecord, readCallPolicy } from '@lensforge/contracts';
import { type Context, keyedMutex } from '@lensforge/core';
import { inTransaction, perDatabase } from '@lensforge/database';
import {
  type NewToolCall,
  type StepResult,
  type StepUsage,
  type StoredStep,
  type StoredToolCall,
  getAgentScopes,
  nodeRef,
  readSteps,
  storeStep,
} from '@lensforge/runs';
import type { AgentLimits } from '@lensforge/workflows';
import { Stopped } from '../engine/attempt.js';
import { withLongRetry } from '../engine/database-writes.js';
import type { NodeWork } from '../nodes/node-type.js';
import { finalFailure } from './agent-failure.js';

const mutexes = perDatabase(() => keyedMutex());

/** The agents of a node in this attempt: their stored steps, and the limits that they share. */
export class AgentTeam {
  /** The owner of the run, with the scopes of the credential that started it. */
  readonly owner: Context;
  /** Aborts when the attempt is stopped or the time of the node is over. */
  readonly signal: AbortSignal;
  /** True when a step has held credits. */
  hasHolds: boolean;
  /** True when an approval was requested in this attempt. */
  hasNewWait = false;
  private readonly byPath = new Map<string, StoredStep[]>();
  private activeFrom = performance.now();

  private constructor(
    readonly work: NodeWork<AgentLimits>,
    steps: readonly StoredStep[],
    readonly used: StepUsage,
  ) {
    const { owner, run } = work;
    this.owner = { ...owner, actor: { ...owner.actor, scopes: getAgentScopes(run.cause) } };
    this.signal = AbortSignal.any([work.signal, AbortSignal.timeout(Math.max(1, this.msLeft))]);
    this.hasHolds = work.node.attempt > 1;
    for (const step of steps) this.getSteps(step.path).push(step);
  }

  static async open(work: NodeWork<AgentLimits>): Promise<AgentTeam> {
    const { steps, used } = await withLongRetry(() => readSteps(work.owner, work.node));
    return new AgentTeam(work, steps, used);
  }

  /** The steps of the agent at a path, in order. */
  getSteps(path: string): StoredStep[] {
    const known = this.byPath.get(path);
    if (known) return known;
    const steps: StoredStep[] = [];
    this.byPath.set(path, steps);
    return steps;
  }

  /** The members that identify the node in events. */
  get nodeRef() {
    const { node, nodeId } = this.work;
    return nodeRef({ nodeId, nodeKey: node.nodeKey });
  }

  /** The members that identify the agent and step in events. */
  toStepRef({ path, step }: { path: string; step: number }) {
    return { ...this.nodeRef, ...(path !== '' && { path }), step };
  }

  /** The same for every attempt. */
  toSeed(path: string): string {
    return path === '' ? this.work.idempotencyKey : `${this.work.idempotencyKey}:${path}`;
  }

  /** The seed of fences in prompts: the same for every attempt and, where calls are recorded, for every run that replays them. */
  toFenceSeed(path: string): string {
    const { node, run } = this.work;
    return readCallPolicy(run.cause) ? `${node.nodeKey}:${path}` : this.toSeed(path);
  }

  /** The tokens that all agents may still use. */
  get tokensLeft(): number {
    return this.work.settings.maxTokens - this.used.tokens;
  }

  requireTime(): void {
    this.work.signal.throwIfAborted();
    if (this.signal.aborted || this.msLeft <= 0) throw this.timeIsOver();
    if (this.used.steps >= maxStepsOfNode) {
      throw finalFailure('LIMIT_REACHED', `The agents of this node used ${maxStepsOfNode} steps together`);
    }
  }

  /** The failure for an abort by the time limit; other reasons stay as they are. */
  toStopReason(reason: unknown): unknown {
    return this.signal.aborted && !this.work.signal.aborted ? this.timeIsOver() : reason;
  }

  write<T>(change: (ctx: Context) => Promise<T>): Promise<T> {
    return this.alone(() => inTransaction(this.owner, change));
  }

  /** Changes lock the row of their run, so that they follow one another in this process without a connection. */
  private alone<T>(change: () => Promise<T>): Promise<T> {
    return mutexes.of(this.owner)(this.work.node.runId, () => withLongRetry(change));
  }

  async store(result: Omit<StepResult, 'activeMs'>): Promise<void> {
    const { path, step, text, reduced, calls } = result;
    const activeMs = this.activeMs;
    const { owner, work } = this;
    const isStored = await this.alone(() => storeStep(owner, work.node, { ...result, activeMs }));
    if (!isStored) throw new Stopped('lost');
    this.activeFrom += activeMs;
    this.used.activeMs += activeMs;
    this.used.steps += 1;
    this.used.tokens += result.tokenInput + result.tokenOutput;
    this.getSteps(path).push({
      path,
      step,
      text,
      reduced,
      calls: calls.map(storedCall),
    });
  }

  /** The whole milliseconds of this attempt that no step has counted. */
  private get activeMs(): number {
    return Math.max(0, Math.floor(performance.now() - this.activeFrom));
  }

  private get msLeft(): number {
    return this.work.settings.maxSeconds * 1000 - this.used.activeMs - this.activeMs;
  }

  private timeIsOver() {
    const { maxSeconds } = this.work.settings;
    return finalFailure('LIMIT_REACHED', `The agents of this node worked for ${maxSeconds} s; raise maxSeconds`);
  }
}

const maxStepsOfNode = 200;

function storedCall({ result, ...call }: NewToolCall, index: number): StoredToolCall {
  return {
    ...call,
    position: index + 1,
    state: result ? 'done' : 'pending',
    approvalId: null,
    result: result?.text ?? null,
    isError: result?.isError ?? null,
  };
}

/** The level of nesting of workflow runs that a run belongs to. */
export const getDepth = (cause: Readonly<Record<string, unknown>> | null): number =>
  isRecord(cause) && typeof cause['depth'] === 'number' ? cause['depth'] : 0;
