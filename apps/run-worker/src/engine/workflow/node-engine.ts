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
import type { TextOf } from '../deltas.js';
import { Deltas } from '../deltas.js';
import { Leases } from '../leases.js';
import type { EngineLog } from '../run.js';
import type { Timing } from '../timing.js';
import type { Taken } from './decide.js';
import { suspectFrom } from './decide.js';
import { NodeAttempt } from './node-attempt.js';
import type { NodeEnd, NodeMetrics } from './node-metrics.js';
import { nodeLeases } from './node-leases.js';
import type { Place, Plan, PlannedNode } from './plan.js';
import { planOf } from './plan.js';
import { LargeReads } from './large-reads.js';
import type { ValueOf } from './workflow-run-actor.js';
import { WorkflowRunActor } from './workflow-run-actor.js';
import { mostBytesReferred, nodesIn, scopeValues } from './scope-values.js';
import { ValueCache } from './value-cache.js';

export interface NodeEngineParts extends NodeParts {
  tell: (events: readonly RunEvent[]) => void;
  /** A run has ended, so that another of its account may begin. */
  ended?: (accountId: string) => void;
  worker: string;
  leaseMs: number;
  heartbeatMs: number;
  /** Nodes that are executed at once. */
  concurrency: number;
  /** How long a node may take that says nothing of it. */
  timeoutMs: number;
  timing: Timing;
  log: EngineLog;
  measures: NodeMetrics;
  random?: () => number;
}

const mostDesks = 500;
const mostPlans = 200;
const patience = { timeoutMs: 30_000, retryLockTimeouts: true };
const mostInOneEvent = 32_768;

interface InHand {
  attempt: NodeAttempt;
  done: Promise<void>;
}

interface Speech {
  attempt: NodeAttempt;
  nodeId: string;
}

/** Executes the nodes of runs of workflows. What it holds is fenced by the attempt of each node. */
export class NodeEngine {
  readonly leases: Leases<NodeAttempt>;
  private readonly desks = new Map<string, WorkflowRunActor>();
  private readonly running = new Map<string, InHand>();
  private readonly plans = new Map<string, Plan>();
  private readonly values = new ValueCache();
  private readonly largeReads = new LargeReads();
  private readonly deltas: Deltas<Speech>;
  private readonly ctx: Context;
  private readonly move: (move: RunMove) => Promise<Moved | undefined>;
  private suspects = 0;
  private leaving = false;
  private releasing = false;
  private faulty = false;

  constructor(private readonly parts: NodeEngineParts) {
    const { db, leaseMs, heartbeatMs, timing } = parts;
    this.ctx = { actor: platformActor, db, now: systemClock, requestId: newId() };
    this.leases = new Leases(nodeLeases(this.ctx), {
      leaseMs,
      heartbeatMs,
      timing,
      onFault: (reason) => this.sayFault(reason),
    });
    this.deltas = new Deltas((texts) => this.append(texts), timing);
    const together = batchCalls((moves: RunMove[]) => this.moveTogether(moves), { most: 100, atOnce: 2 });
    this.move = async (move) => {
      const outcome = await together(move);
      if (outcome instanceof Error) throw outcome;
      return outcome;
    };
  }

  /** A run that was just claimed: its first nodes begin. False when somebody else has it by now. */
  start(runId: string): Promise<boolean> {
    return this.desk(runId).happen({ kind: 'start' });
  }

  /** Settles when the node has left the hands of this process, whatever became of it. */
  async execute(job: NodeJob): Promise<void> {
    if (!(await this.claim(job)) && !(await this.noted(job)) && !(await this.claim(job))) {
      this.parts.measures.ignored();
      return;
    }
    await this.running.get(`${job.runId} ${job.nodeKey}`)?.done;
  }

  private claim({ runId, nodeKey: key, generation }: NodeJob): Promise<boolean> {
    return this.desk(runId).happen({ kind: 'claim', key, generation });
  }

  private noted(job: NodeJob): Promise<boolean> {
    return withDbRetry(() => recordWake(this.ctx, job), patience);
  }

  /** Somebody's worker is gone, as the database's clock says. False when the node is no longer where it was. */
  lost(runId: string, key: string, attempt: number): Promise<boolean> {
    return this.desk(runId).happen({ kind: 'lost', key, attempt });
  }

  /** Takes nothing more by itself, lets nodes end within the grace and gives back what is left. */
  async leave(graceMs: number): Promise<void> {
    this.leaving = true;
    const release = this.parts.timing.after(graceMs, () => this.release());
    await this.idle();
    release.cancel();
  }

  release(): void {
    this.leaving = this.releasing = true;
    for (const attempt of this.leases.inHand) attempt.stop('released');
  }

  /** Settles when nothing is in hand any more. */
  async idle(): Promise<void> {
    while (this.running.size > 0) await Promise.all([...this.running.values()].map(({ done }) => done));
  }

  private desk(runId: string): WorkflowRunActor {
    const known = this.desks.get(runId);
    if (known) return known;
    const { tell, handOver, timing, worker, leaseMs, concurrency, random = Math.random } = this.parts;
    const desk = new WorkflowRunActor(runId, {
      ctx: this.ctx,
      move: this.move,
      planOf: (versionId) => this.planOf(versionId),
      values: this.values,
      largeReads: this.largeReads,
      hands: () => ({
        ...{ worker, leaseMs, random },
        mayTakeSuspect: this.suspects === 0,
        free: this.leaving ? 0 : Math.max(concurrency - this.running.size, 0),
      }),
      tell,
      handOver,
      ended: (accountId) => this.parts.ended?.(accountId),
      begin: (at, sheet, taken, askedAt) => this.begin(at, sheet, taken, askedAt),
      idle: (at) => this.tidy(at),
      now: timing.now,
    });
    this.desks.set(runId, desk);
    return desk;
  }

  private tidy(desk: WorkflowRunActor): void {
    if (desk.sheet?.status !== 'running') {
      if (!this.leases.inHand.some(({ runId }) => runId === desk.runId)) this.desks.delete(desk.runId);
    }
    if (this.desks.size <= mostDesks) return;
    const held = new Set(this.leases.inHand.map(({ runId }) => runId));
    for (const [runId, each] of this.desks) {
      if (this.desks.size <= mostDesks / 2) return;
      if (!each.busy && !held.has(runId)) this.desks.delete(runId);
    }
  }

  private async planOf(versionId: string): Promise<Plan> {
    const known = this.plans.get(versionId);
    if (known) return known;
    const plan = planOf(await withDbRetry(() => graphOfVersion(this.ctx, versionId), patience));
    if (this.plans.size >= mostPlans) this.plans.clear();
    this.plans.set(versionId, plan);
    return plan;
  }

  private begin(desk: WorkflowRunActor, sheet: RunSnapshot, taken: Taken, askedAt: number): void {
    const { timing, leaseMs } = this.parts;
    const held = { runId: desk.runId, nodeKey: taken.key, attempt: taken.attempt };
    const attempt = new NodeAttempt(held, timing.now, askedAt, leaseMs);
    const name = `${held.runId} ${held.nodeKey}`;
    const suspect = taken.lostAttempts >= suspectFrom ? 1 : 0;
    this.suspects += suspect;
    this.leases.hold(attempt);
    const done = this.carryOut(desk, sheet, taken, attempt)
      .catch((err: unknown) =>
        this.parts.log.error({ err, ...held }, 'the end of a node could not be written; its lease will run out'),
      )
      .finally(() => {
        this.suspects -= suspect;
        this.leases.drop(attempt);
        if (this.running.get(name)?.attempt === attempt) this.running.delete(name);
        if (!desk.busy) this.tidy(desk);
      });
    this.running.set(name, { attempt, done });
    if (this.releasing) attempt.stop('released');
  }

  private async carryOut(
    desk: WorkflowRunActor,
    sheet: RunSnapshot,
    taken: Taken,
    attempt: NodeAttempt,
  ): Promise<void> {
    const { timing, measures } = this.parts;
    const begunAt = timing.now();
    const place = desk.place(taken.key);
    const { type } = place.planned.node;
    const { resolved, ...outcome } = await this.outcomeOf(desk, sheet, taken, attempt, place);
    if (outcome.kind === 'lost') {
      measures.ended(type, 'lost', timing.now() - begunAt);
      return;
    }
    attempt.ending = true;
    const { key } = taken;
    const counted = await desk.happen({
      ...{ kind: 'finish', key, attempt: taken.attempt, outcome },
      ...(resolved && { resolved }),
    });
    if (!counted) measures.fenced();
    measures.ended(type, counted ? endOf(outcome) : 'lost', timing.now() - begunAt);
  }

  private async outcomeOf(
    desk: WorkflowRunActor,
    sheet: RunSnapshot,
    taken: Taken,
    attempt: NodeAttempt,
    place: Place,
  ): Promise<NodeOutcome | { kind: 'lost'; resolved?: never }> {
    const { node } = place.planned;
    const { timing, timeoutMs } = this.parts;
    const limitMs = node.timeoutSeconds === undefined ? timeoutMs : node.timeoutSeconds * 1000;
    try {
      const given = await desk.knowing((valueOf) => this.givenTo(desk, sheet, place, valueOf), {
        mostBytes: mostBytesReferred,
      });
      const speech = this.deltas.open({ attempt, nodeId: node.id });
      const work = this.workOf(desk, sheet, taken, attempt, place, given, (text) => speech.add(text));
      const executed = (executors[node.type] as ExecuteNode<unknown>)(work);
      if (!(executed instanceof Promise)) return executed;
      const timer = timing.after(limitMs, () => attempt.stop('timed_out'));
      try {
        return await attempt.unlessStopped(executed);
      } finally {
        timer.cancel();
        await speech.close();
      }
    } catch (reason) {
      if (reason instanceof Stopped) {
        if (reason.why === 'released') return { kind: 'released' };
        if (reason.why !== 'timed_out') return { kind: 'lost' };
        return failed('NODE_TIMED_OUT', `took longer than ${limitMs / 1000} s`, { timedOut: true });
      }
      if (reason instanceof ExpressionFault) return failed('EXPRESSION_FAILED', reason.message, { again: 'final' });
      if (reason instanceof DomainError) return failed(reason.code, reason.message, { again: 'final' });
      if (isTransient(reason) || isLockTimeout(reason)) throw reason;
      this.parts.log.warn({ err: reason, ...attempt.held }, 'a node failed unexpectedly');
      return failed('INTERNAL', 'An unexpected fault of the platform ended this node');
    }
  }

  /** What edges bring to a node, and what the expressions in its settings come to. */
  private async givenTo(desk: WorkflowRunActor, run: RunSnapshot, place: Place, values: ValueOf): Promise<Given> {
    const scope = scopeOf(desk, run, place, values);
    const texts = expressionsOf(place.planned);
    const evaluations = texts.map((text) => ({ text, scope }));
    const outcomes = await computeExpressions(evaluations, { account: run.accountId, ignoreQueueLimit: true });
    return {
      input: scope.input ?? {},
      outcomes: new Map(texts.map((text, index) => [text, outcomes[index] as Outcome])),
    };
  }

  private workOf(
    desk: WorkflowRunActor,
    run: RunSnapshot,
    taken: Taken,
    attempt: NodeAttempt,
    { planned }: Place,
    { input, outcomes }: Given,
    say: (text: string) => void,
  ): NodeWork<unknown> {
    const owner = { ...desk.contextOf(run), actor: ownerOf(run) };
    const { held } = attempt;
    const evaluate = (text: string): unknown => valueOf(outcomes.get(text) as Outcome);
    return {
      settings: planned.node.settings,
      evaluate,
      resolve: (value) => resolveValue(value, evaluate),
      ...{ input, say, run, parts: this.parts },
      ...{ state: taken.state, generation: taken.generation, node: held },
      idempotencyKey: `${held.runId}:${held.nodeKey}`,
      signal: attempt.signal,
      beforeEffect: () => attempt.refuseWhenStale(),
      reserve: (order) => withDbRetry(() => reserveForNode(owner, held, order), patience),
      owner,
    };
  }

  private async moveTogether(moves: RunMove[]): Promise<(Moved | undefined | Error)[]> {
    try {
      return await withDbRetry(() => moveNodes(this.ctx, moves), patience);
    } catch (reason) {
      const fault = reason instanceof Error ? reason : new Error(String(reason));
      if (moves.length === 1 || isTransient(fault)) return moves.map(() => fault);
      // One row that Postgres refuses must not take its neighbours in the statement along.
      return (await Promise.all(moves.map((move) => this.moveTogether([move])))).flat();
    }
  }

  /** Never rejects: what a node says on its way is told once or not at all, as what it comes to is told in the end. */
  private async append(texts: readonly TextOf<Speech>[]): Promise<void> {
    try {
      const told = await appendNodeText(
        this.ctx,
        texts.map(({ of: { attempt, nodeId }, text }) => ({
          ...attempt.held,
          events: eventsOf(attempt, nodeId, text),
        })),
      );
      for (const events of told) if (events) this.parts.tell(events);
    } catch (reason) {
      this.sayFault(reason);
    }
  }

  /** Said once per outage, not once per second. */
  private sayFault(reason: unknown): void {
    if (this.faulty) return;
    this.faulty = true;
    this.parts.log.warn({ err: reason }, 'nodes in hand cannot reach Postgres');
    this.parts.timing.after(10_000, () => (this.faulty = false));
  }
}

interface Given {
  input: Readonly<Record<string, unknown>>;
  outcomes: ReadonlyMap<string, Outcome>;
}

const texts = new WeakMap<PlannedNode, readonly string[]>();
const referred = new WeakMap<PlannedNode, readonly string[]>();

/** The expressions in the settings of a node, each once. */
const expressionsOf = (planned: PlannedNode): readonly string[] =>
  kept(texts, planned, () => {
    const { expressions } = nodeTypes[planned.node.type] as { expressions: (settings: unknown) => { text: string }[] };
    return [...new Set(expressions(planned.node.settings).map(({ text }) => text))];
  });

function kept<T>(known: WeakMap<PlannedNode, T>, planned: PlannedNode, find: () => T): T {
  let found = known.get(planned);
  if (found === undefined) known.set(planned, (found = find()));
  return found;
}

function scopeOf(desk: WorkflowRunActor, sheet: RunSnapshot, { scope, planned }: Place, values: ValueOf): Scope {
  const known = {
    runId: desk.runId,
    inputs: sheet.inputs,
    statusOf: (key: string) => sheet.nodes.get(key)?.status,
    valueOf: values,
  };
  const brought = planned.coming.filter(
    ({ from, id, input }) => input !== undefined && sheet.nodes.get(scope.prefix + from)?.live?.includes(id),
  );
  const ids = new Set([
    ...kept(referred, planned, () => nodesIn(expressionsOf(planned), scope)),
    ...brought.map(({ from }) => from),
  ]);
  const found = scopeValues(known, scope, ids);
  return { ...found, input: edgeInputs(brought, (id) => found.nodes?.[id]?.output ?? null) };
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
 * The owner of a run, for what its nodes do in their name: nothing that needs more than its own workflows and lenses, and
 * no more credits than whoever started it may spend.
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
