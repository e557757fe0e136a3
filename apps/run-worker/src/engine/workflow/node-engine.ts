import type { NodeJob, RunEvent } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { DomainError, batchCalls, newId, noAccountId, platformActor, systemClock } from '@lensforge/core';
import { isLockTimeout, isTransient, withDbRetry } from '@lensforge/database';
import type { Moved, NewRunEvent, RunMove, RunSnapshot } from '@lensforge/runs';
import { appendNodeText, creditLimitOf, moveNodes, nodeRef, recordWake, reserveForNode } from '@lensforge/runs';
import type { Outcome, Scope } from '@lensforge/workflows';
import {
  ExpressionFault,
  edgeInputs,
  computeExpressions,
  graphOfVersion,
  nodeTypes,
  resolveValue,
  valueOf,
} from '@lensforge/workflows';
import { executors } from '../../nodes/node-types.js';
import type { ExecuteNode, NodeOutcome, NodeParts, NodeWork } from '../../nodes/node-type.js';
import { failed } from '../../nodes/node-type.js';
import { Stopped } from '../attempt.js';
import type { TextOf } from '../delta-batcher.js';
import { DeltaBatcher } from '../delta-batcher.js';
import { Leases } from '../leases.js';
import type { EngineLog } from '../run.js';
import type { Timing } from '../timing.js';
import type { ClaimedNode } from './decide.js';
import { suspectFrom } from './decide.js';
import { NodeAttempt } from './node-attempt.js';
import type { NodeEnd, NodeMetrics } from './node-metrics.js';
import { nodeLeases } from './node-leases.js';
import type { NodePosition, Plan, PlannedNode } from './plan.js';
import { planOf } from './plan.js';
import { LargeReads } from './large-reads.js';
import type { ValueOf } from './workflow-run-actor.js';
import { WorkflowRunActor } from './workflow-run-actor.js';
import { mostBytesReferred, nodesIn, scopeValues } from './scope-values.js';
import { ValueCache } from './value-cache.js';

export interface NodeEngineParts extends NodeParts {
  publish: (events: readonly RunEvent[]) => void;
  /** Called when a run of the account has ended. */
  ended?: (accountId: string) => void;
  worker: string;
  leaseMs: number;
  heartbeatMs: number;
  /** The number of nodes that are executed at once. */
  concurrency: number;
  /** The timeout of a node without a timeout of its own. */
  timeoutMs: number;
  timing: Timing;
  log: EngineLog;
  metrics: NodeMetrics;
  random?: () => number;
}

const mostActors = 500;
const mostPlans = 200;
const retryOptions = { timeoutMs: 30_000, retryLockTimeouts: true };
const mostInOneEvent = 32_768;

interface RunningNode {
  attempt: NodeAttempt;
  done: Promise<void>;
}

interface NodeText {
  attempt: NodeAttempt;
  nodeId: string;
}

/** Executes the nodes of workflow runs. The attempt number of a node fences its writes. */
export class NodeEngine {
  readonly leases: Leases<NodeAttempt>;
  private readonly actors = new Map<string, WorkflowRunActor>();
  private readonly running = new Map<string, RunningNode>();
  private readonly plans = new Map<string, Plan>();
  private readonly values = new ValueCache();
  private readonly largeReads = new LargeReads();
  private readonly deltas: DeltaBatcher<NodeText>;
  private readonly ctx: Context;
  private readonly move: (move: RunMove) => Promise<Moved | undefined>;
  private suspects = 0;
  private leaving = false;
  private releasing = false;
  private outageLogged = false;

  constructor(private readonly parts: NodeEngineParts) {
    const { db, leaseMs, heartbeatMs, timing } = parts;
    this.ctx = { actor: platformActor, db, now: systemClock, requestId: newId() };
    this.leases = new Leases(nodeLeases(this.ctx), {
      leaseMs,
      heartbeatMs,
      timing,
      onError: (reason) => this.logOutage(reason),
    });
    this.deltas = new DeltaBatcher((texts) => this.append(texts), timing);
    const batched = batchCalls((moves: RunMove[]) => this.moveAll(moves), { maxSize: 100, concurrency: 2 });
    this.move = async (move) => {
      const outcome = await batched(move);
      if (outcome instanceof Error) throw outcome;
      return outcome;
    };
  }

  /** Starts the first nodes of a claimed run; false when the run belongs to another worker. */
  start(runId: string): Promise<boolean> {
    return this.actorOf(runId).apply({ kind: 'start' });
  }

  /** Resolves when this process no longer executes the node, whatever the outcome. */
  async execute(job: NodeJob): Promise<void> {
    if (!(await this.claim(job)) && !(await this.recordWake(job)) && !(await this.claim(job))) {
      this.parts.metrics.ignored();
      return;
    }
    await this.running.get(`${job.runId} ${job.nodeKey}`)?.done;
  }

  private claim({ runId, nodeKey: key, generation }: NodeJob): Promise<boolean> {
    return this.actorOf(runId).apply({ kind: 'claim', key, generation });
  }

  private recordWake(job: NodeJob): Promise<boolean> {
    return withDbRetry(() => recordWake(this.ctx, job), retryOptions);
  }

  /** Reports a lost worker of a node, by the clock of the database; false when the node has changed since. */
  lost(runId: string, key: string, attempt: number): Promise<boolean> {
    return this.actorOf(runId).apply({ kind: 'lost', key, attempt });
  }

  /** Claims no more nodes by itself, waits for running nodes up to the grace period and releases the rest. */
  async leave(graceMs: number): Promise<void> {
    this.leaving = true;
    const release = this.parts.timing.after(graceMs, () => this.release());
    await this.idle();
    release.cancel();
  }

  release(): void {
    this.leaving = this.releasing = true;
    for (const attempt of this.leases.attempts) attempt.stop('released');
  }

  /** Resolves when no node is running. */
  async idle(): Promise<void> {
    while (this.running.size > 0) await Promise.all([...this.running.values()].map(({ done }) => done));
  }

  private actorOf(runId: string): WorkflowRunActor {
    const known = this.actors.get(runId);
    if (known) return known;
    const { publish, handOver, timing, worker, leaseMs, concurrency, random = Math.random } = this.parts;
    const actor = new WorkflowRunActor(runId, {
      ctx: this.ctx,
      move: this.move,
      planOf: (versionId) => this.planOf(versionId),
      values: this.values,
      largeReads: this.largeReads,
      options: () => ({
        worker,
        leaseMs,
        random,
        mayClaimSuspect: this.suspects === 0,
        freeSlots: this.leaving ? 0 : Math.max(concurrency - this.running.size, 0),
      }),
      publish,
      handOver,
      ended: (accountId) => this.parts.ended?.(accountId),
      begin: (at, snapshot, claimed, requestedAt) => this.begin(at, snapshot, claimed, requestedAt),
      idle: (at) => this.dropIdleActors(at),
      now: timing.now,
    });
    this.actors.set(runId, actor);
    return actor;
  }

  private dropIdleActors(actor: WorkflowRunActor): void {
    if (actor.snapshot?.status !== 'running') {
      if (!this.leases.attempts.some(({ runId }) => runId === actor.runId)) this.actors.delete(actor.runId);
    }
    if (this.actors.size <= mostActors) return;
    const held = new Set(this.leases.attempts.map(({ runId }) => runId));
    for (const [runId, each] of this.actors) {
      if (this.actors.size <= mostActors / 2) return;
      if (!each.busy && !held.has(runId)) this.actors.delete(runId);
    }
  }

  private async planOf(versionId: string): Promise<Plan> {
    const known = this.plans.get(versionId);
    if (known) return known;
    const plan = planOf(await withDbRetry(() => graphOfVersion(this.ctx, versionId), retryOptions));
    if (this.plans.size >= mostPlans) this.plans.clear();
    this.plans.set(versionId, plan);
    return plan;
  }

  private begin(actor: WorkflowRunActor, snapshot: RunSnapshot, claimed: ClaimedNode, requestedAt: number): void {
    const { timing, leaseMs } = this.parts;
    const held = { runId: actor.runId, nodeKey: claimed.key, attempt: claimed.attempt };
    const attempt = new NodeAttempt(held, timing.now, requestedAt, leaseMs);
    const name = `${held.runId} ${held.nodeKey}`;
    const suspect = claimed.lostAttempts >= suspectFrom ? 1 : 0;
    this.suspects += suspect;
    this.leases.hold(attempt);
    const done = this.executeNode(actor, snapshot, claimed, attempt)
      .catch((err: unknown) =>
        this.parts.log.error(
          { err, ...held },
          'the end of a node could not be written; another worker continues it after its lease',
        ),
      )
      .finally(() => {
        this.suspects -= suspect;
        this.leases.drop(attempt);
        if (this.running.get(name)?.attempt === attempt) this.running.delete(name);
        if (!actor.busy) this.dropIdleActors(actor);
      });
    this.running.set(name, { attempt, done });
    if (this.releasing) attempt.stop('released');
  }

  private async executeNode(
    actor: WorkflowRunActor,
    snapshot: RunSnapshot,
    claimed: ClaimedNode,
    attempt: NodeAttempt,
  ): Promise<void> {
    const { timing, metrics } = this.parts;
    const startedAt = timing.now();
    const position = actor.positionOf(claimed.key);
    const { type } = position.planned.node;
    const { resolved, ...outcome } = await this.outcomeOf(actor, snapshot, claimed, attempt, position);
    if (outcome.kind === 'lost') {
      metrics.ended(type, 'lost', timing.now() - startedAt);
      return;
    }
    attempt.ending = true;
    const { key } = claimed;
    const counted = await actor.apply({
      kind: 'finish',
      key,
      attempt: claimed.attempt,
      outcome,
      ...(resolved && { resolved }),
    });
    if (!counted) metrics.fenced();
    metrics.ended(type, counted ? endOf(outcome) : 'lost', timing.now() - startedAt);
  }

  private async outcomeOf(
    actor: WorkflowRunActor,
    snapshot: RunSnapshot,
    claimed: ClaimedNode,
    attempt: NodeAttempt,
    position: NodePosition,
  ): Promise<NodeOutcome | { kind: 'lost'; resolved?: never }> {
    const { node } = position.planned;
    const { timing, timeoutMs } = this.parts;
    const limitMs = node.timeoutSeconds === undefined ? timeoutMs : node.timeoutSeconds * 1000;
    try {
      const resolvedInput = await actor.withValues((valueOf) => this.resolveInput(actor, snapshot, position, valueOf), {
        mostBytes: mostBytesReferred,
      });
      const stream = this.deltas.open({ attempt, nodeId: node.id });
      const work = this.workOf(actor, snapshot, claimed, attempt, position, resolvedInput, (text) => stream.add(text));
      const executed = (executors[node.type] as ExecuteNode<unknown>)(work);
      if (!(executed instanceof Promise)) return executed;
      const timer = timing.after(limitMs, () => attempt.stop('timed_out'));
      try {
        return await attempt.unlessStopped(executed);
      } finally {
        timer.cancel();
        await stream.close();
      }
    } catch (reason) {
      if (reason instanceof Stopped) {
        if (reason.stopCause === 'released') return { kind: 'released' };
        if (reason.stopCause !== 'timed_out') return { kind: 'lost' };
        return failed('NODE_TIMED_OUT', `took longer than ${limitMs / 1000} s`, { timedOut: true });
      }
      if (reason instanceof ExpressionFault) return failed('EXPRESSION_FAILED', reason.message, { retry: 'final' });
      if (reason instanceof DomainError) return failed(reason.code, reason.message, { retry: 'final' });
      if (isTransient(reason) || isLockTimeout(reason)) throw reason;
      this.parts.log.warn({ err: reason, ...attempt.held }, 'a node failed unexpectedly');
      return failed('INTERNAL', 'An unexpected fault of the platform ended this node');
    }
  }

  /** The input of a node from its edges, and the values of the expressions in its settings. */
  private async resolveInput(
    actor: WorkflowRunActor,
    run: RunSnapshot,
    position: NodePosition,
    values: ValueOf,
  ): Promise<ResolvedInput> {
    const scope = scopeOf(actor, run, position, values);
    const texts = expressionsOf(position.planned);
    const evaluations = texts.map((text) => ({ text, scope }));
    const outcomes = await computeExpressions(evaluations, { account: run.accountId, ignoreQueueLimit: true });
    return {
      input: scope.input ?? {},
      outcomes: new Map(texts.map((text, index) => [text, outcomes[index] as Outcome])),
    };
  }

  private workOf(
    actor: WorkflowRunActor,
    run: RunSnapshot,
    claimed: ClaimedNode,
    attempt: NodeAttempt,
    { planned }: NodePosition,
    { input, outcomes }: ResolvedInput,
    addText: (text: string) => void,
  ): NodeWork<unknown> {
    const owner = { ...actor.contextOf(run), actor: ownerOf(run) };
    const { held } = attempt;
    const evaluate = (text: string): unknown => valueOf(outcomes.get(text) as Outcome);
    return {
      settings: planned.node.settings,
      evaluate,
      resolve: (value) => resolveValue(value, evaluate),
      input,
      addText,
      run,
      parts: this.parts,
      state: claimed.state,
      generation: claimed.generation,
      node: held,
      idempotencyKey: `${held.runId}:${held.nodeKey}`,
      signal: attempt.signal,
      beforeEffect: () => attempt.throwIfStale(),
      reserve: (order) => withDbRetry(() => reserveForNode(owner, held, order), retryOptions),
      owner,
    };
  }

  private async moveAll(moves: RunMove[]): Promise<(Moved | undefined | Error)[]> {
    try {
      return await withDbRetry(() => moveNodes(this.ctx, moves), retryOptions);
    } catch (reason) {
      const fault = reason instanceof Error ? reason : new Error(String(reason));
      if (moves.length === 1 || isTransient(fault)) return moves.map(() => fault);
      // One bad row must not fail the others of the statement.
      return (await Promise.all(moves.map((move) => this.moveAll([move])))).flat();
    }
  }

  /** Never rejects; streamed text is stored at most once, and the result of the node contains it anyway. */
  private async append(texts: readonly TextOf<NodeText>[]): Promise<void> {
    try {
      const stored = await appendNodeText(
        this.ctx,
        texts.map(({ source: { attempt, nodeId }, text }) => ({
          ...attempt.held,
          events: eventsOf(attempt, nodeId, text),
        })),
      );
      for (const events of stored) if (events) this.parts.publish(events);
    } catch (reason) {
      this.logOutage(reason);
    }
  }

  /** Logs an outage once in 10 seconds. */
  private logOutage(reason: unknown): void {
    if (this.outageLogged) return;
    this.outageLogged = true;
    this.parts.log.warn({ err: reason }, 'the leases or events of nodes cannot be written to PostgreSQL');
    this.parts.timing.after(10_000, () => (this.outageLogged = false));
  }
}

interface ResolvedInput {
  input: Readonly<Record<string, unknown>>;
  outcomes: ReadonlyMap<string, Outcome>;
}

const texts = new WeakMap<PlannedNode, readonly string[]>();
const referred = new WeakMap<PlannedNode, readonly string[]>();

/** The distinct expressions in the settings of a node. */
const expressionsOf = (planned: PlannedNode): readonly string[] =>
  cached(texts, planned, () => {
    const { expressions } = nodeTypes[planned.node.type] as { expressions: (settings: unknown) => { text: string }[] };
    return [...new Set(expressions(planned.node.settings).map(({ text }) => text))];
  });

function cached<T>(known: WeakMap<PlannedNode, T>, planned: PlannedNode, find: () => T): T {
  let found = known.get(planned);
  if (found === undefined) known.set(planned, (found = find()));
  return found;
}

function scopeOf(
  actor: WorkflowRunActor,
  snapshot: RunSnapshot,
  { scope, planned }: NodePosition,
  values: ValueOf,
): Scope {
  const known = {
    runId: actor.runId,
    inputs: snapshot.inputs,
    statusOf: (key: string) => snapshot.nodes.get(key)?.status,
    valueOf: values,
  };
  const edges = planned.incoming.filter(
    ({ from, id, input }) => input !== undefined && snapshot.nodes.get(scope.prefix + from)?.live?.includes(id),
  );
  const ids = new Set([
    ...cached(referred, planned, () => nodesIn(expressionsOf(planned), scope)),
    ...edges.map(({ from }) => from),
  ]);
  const found = scopeValues(known, scope, ids);
  return { ...found, input: edgeInputs(edges, (id) => found.nodes?.[id]?.output ?? null) };
}

const endOf = (outcome: Exclude<NodeOutcome, { kind: 'lost' }>): NodeEnd => {
  switch (outcome.kind) {
    case 'failed':
      return outcome.timedOut ? 'timed_out' : 'failed';
    case 'mapped':
      return 'waiting';
    default:
      return outcome.kind;
  }
};

/**
 * The owner of a run as the actor of its nodes, limited to lenses and workflows and to the credit limit of the credential
 * that started the run.
 */
const ownerOf = ({ accountId, cause }: RunSnapshot): Context['actor'] => ({
  credential: { kind: 'session', id: noAccountId, ...creditLimitOf(cause) },
  accountId,
  userId: null,
  scopes: ['lenses:read', 'workflows:read', 'workflows:write'],
});

function eventsOf({ held: { nodeKey } }: NodeAttempt, nodeId: string, text: string): NewRunEvent[] {
  const events: NewRunEvent[] = [];
  for (let at = 0; at < text.length;) {
    let end = Math.min(at + mostInOneEvent, text.length);
    if (end < text.length && /[\uD800-\uDBFF]/.test(text.charAt(end - 1))) end -= 1;
    const ref = nodeRef({ nodeId, nodeKey });
    events.push({ type: 'node.output.delta', payload: { ...ref, text: text.slice(at, end) } });
    at = end;
  }
  return events;
}
