import type { NodeJob } from '@lensforge/contracts';
import {
  type NewRunEvent,
  type RunMove,
  type RunSnapshot,
  appendNodeText,
  extendNodeLeases,
  moveNodes,
  readNodeLeases,
  recordWake,
} from '@lensforge/runs';
import { graphOfVersion } from '@lensforge/workflows';
import type { NodeOutcome, NodeParts } from '../../nodes/node-type.js';
import { Attempt, type NodeAttempt } from '../attempt.js';
import { batchedWrite, isDatabaseFault, withLongRetry } from '../database-writes.js';
import { DeltaBatcher, type TextOf } from '../delta-batcher.js';
import { Leases } from '../leases.js';
import { outageLog } from '../outage-log.js';
import type { WorkerParts } from '../worker-parts.js';
import { type ClaimedNode, suspectFrom } from './decide.js';
import { LargeReads } from './large-reads.js';
import { type BegunNode, type NodeExecutionParts, executeNode, internalFailure } from './node-execution.js';
import type { Usage } from './node-events.js';
import type { NodeEnd, NodeMetrics } from './node-metrics.js';
import { type Plan, planGraph } from './plan.js';
import { ValueCache } from './value-cache.js';
import { WorkflowRunActor } from './workflow-run-actor.js';

export interface NodeEngineParts extends WorkerParts, NodeParts {
  /** The number of nodes that are executed at once. */
  concurrency: number;
  /** The timeout of a node without a timeout of its own. */
  timeoutMs: number;
  metrics: NodeMetrics;
  /** Executes a node that has lost workers in a process of its own; without it, this process executes such nodes. */
  isolate?: ((job: NodeJob) => Promise<void>) | undefined;
  random?: () => number;
}

const maxActors = 500;
const maxPlans = 200;

interface RunningNode {
  attempt: NodeAttempt;
  done: Promise<void>;
}

interface NodeText {
  attempt: NodeAttempt;
  eventsOf: (text: string) => NewRunEvent[];
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
  private readonly executionParts: NodeExecutionParts;
  private readonly move: (move: RunMove) => Promise<boolean>;
  private readonly logOutage: (reason: unknown) => void;
  private suspects = 0;
  private leaving = false;

  constructor(private readonly parts: NodeEngineParts) {
    const { ctx, leaseMs, heartbeatMs, timing } = parts;
    this.logOutage = outageLog(parts, 'the leases or events of nodes cannot be written to PostgreSQL');
    this.leases = new Leases(
      {
        extend: (held, ms) => extendNodeLeases(ctx, held, ms),
        readStates: (held) => readNodeLeases(ctx, held),
      },
      { leaseMs, heartbeatMs, timing, onError: this.logOutage },
    );
    this.deltas = new DeltaBatcher((texts) => this.append(texts), timing);
    this.executionParts = { ...parts, openStream: (attempt, eventsOf) => this.deltas.open({ attempt, eventsOf }) };
    this.move = batchedWrite((moves: readonly RunMove[]) => moveNodes(ctx, moves));
  }

  /** Starts the first nodes of a claimed run; false when the run belongs to another worker. */
  start(runId: string): Promise<boolean> {
    return this.getActor(runId).apply({ kind: 'start' });
  }

  /** Resolves when this process no longer executes the node, whatever the outcome. */
  async execute(job: NodeJob): Promise<void> {
    if (await this.claimOrWake(job)) await this.running.get(toNodeName(job))?.done;
    else if (this.parts.isolate && this.isolates(job)) await this.executeIsolated(job, this.parts.isolate);
    else this.parts.metrics.ignored();
  }

  /** True for a node that this process does not claim, because it may be the cause of lost workers. */
  private isolates({ runId, nodeKey, generation }: NodeJob): boolean {
    const node = this.actors.get(runId)?.snapshot?.nodes.get(nodeKey);
    if (!node || node.lostAttempts < suspectFrom || this.suspects > 0 || this.leaving) return false;
    return node.status === 'waiting' || (node.status === 'queued' && node.generation === generation);
  }

  private async executeIsolated(job: NodeJob, isolate: (job: NodeJob) => Promise<void>): Promise<void> {
    this.suspects += 1;
    try {
      await isolate(job);
    } finally {
      this.suspects -= 1;
    }
  }

  /** Claims the node, or wakes it while it is running. */
  private async claimOrWake(job: NodeJob): Promise<boolean> {
    if (await this.claim(job)) return true;
    if (await withLongRetry(() => recordWake(this.parts.ctx, job))) return true;
    // The node may have begun to wait between the two statements.
    return this.claim(job);
  }

  private claim({ runId, nodeKey: key, generation }: NodeJob): Promise<boolean> {
    return this.getActor(runId).apply({ kind: 'claim', key, generation });
  }

  /** Reports a lost worker of a node, by the clock of the database; false when the node has changed since. */
  lost(runId: string, key: string, attempt: number): Promise<boolean> {
    return this.getActor(runId).apply({ kind: 'lost', key, attempt });
  }

  /** Claims no more nodes by itself, waits for running nodes up to the grace period and releases the rest. */
  async leave(graceMs: number): Promise<void> {
    this.leaving = true;
    const release = this.parts.timing.after(graceMs, () => this.release());
    await this.idle();
    release.cancel();
  }

  release(): void {
    this.leaving = true;
    this.leases.release();
  }

  /** Resolves when no node is running. */
  async idle(): Promise<void> {
    while (this.running.size > 0) await Promise.all([...this.running.values()].map(({ done }) => done));
  }

  private getActor(runId: string): WorkflowRunActor {
    const known = this.actors.get(runId);
    if (known) return known;
    const { ctx, timing, worker, leaseMs, concurrency, random = Math.random } = this.parts;
    const actor = new WorkflowRunActor(runId, {
      ctx,
      move: this.move,
      planOf: (versionId) => this.readPlan(versionId),
      values: this.values,
      largeReads: this.largeReads,
      options: () => ({
        worker,
        leaseMs,
        random,
        mayClaimSuspect: !this.parts.isolate && this.suspects === 0,
        freeSlots: this.leaving ? 0 : Math.max(concurrency - this.running.size, 0),
      }),
      begin: (...begun) => this.begin(...begun),
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
    if (this.actors.size <= maxActors) return;
    const held = new Set(this.leases.attempts.map(({ runId }) => runId));
    for (const [runId, each] of this.actors) {
      if (this.actors.size <= maxActors / 2) return;
      if (!each.busy && !held.has(runId)) this.actors.delete(runId);
    }
  }

  private async readPlan(versionId: string): Promise<Plan> {
    const known = this.plans.get(versionId);
    if (known) return known;
    const plan = planGraph(await withLongRetry(() => graphOfVersion(this.parts.ctx, versionId)));
    if (this.plans.size >= maxPlans) this.plans.clear();
    this.plans.set(versionId, plan);
    return plan;
  }

  private begin(actor: WorkflowRunActor, run: RunSnapshot, claimed: ClaimedNode, requestedAt: number): void {
    const { timing, leaseMs } = this.parts;
    const held = { runId: actor.runId, nodeKey: claimed.key, attempt: claimed.attempt };
    const attempt = new Attempt(held, { now: timing.now, from: requestedAt, ms: leaseMs });
    const name = toNodeName(held);
    const suspect = claimed.lostAttempts >= suspectFrom ? 1 : 0;
    this.suspects += suspect;
    this.leases.hold(attempt);
    const position = actor.requirePosition(claimed.key);
    const done = this.executeAndFinish({ actor, run, claimed, attempt, position })
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
  }

  private async executeAndFinish(begun: BegunNode): Promise<void> {
    const { timing, metrics } = this.parts;
    const { actor, claimed, attempt, position } = begun;
    const startedAt = timing.now();
    const { type } = position.planned.node;
    const { resolved, ...outcome } = await executeNode(this.executionParts, begun);
    if (outcome.kind === 'lost') {
      metrics.ended(type, 'lost', timing.now() - startedAt);
      return;
    }
    attempt.ending = true;
    const { key, attempt: number } = claimed;
    const finish = { kind: 'finish', key, attempt: number } as const;
    const counted = await actor.apply({ ...finish, outcome, ...(resolved && { resolved }) }).catch((err: unknown) => {
      if (isDatabaseFault(err)) throw err;
      this.parts.log.error({ err, ...attempt.held }, 'the outcome of a node could not be processed; it fails');
      return actor.apply({ ...finish, outcome: { ...toUsage(outcome), ...internalFailure, endsRun: true } });
    });
    if (!counted) metrics.fenced();
    metrics.ended(type, counted ? toNodeEnd(outcome) : 'lost', timing.now() - startedAt);
  }

  /** Never rejects; streamed text is stored at most once, and the result of the node contains it anyway. */
  private async append(texts: readonly TextOf<NodeText>[]): Promise<void> {
    try {
      // The statement takes each node once, and a node may have several streams.
      const byAttempt = new Map<NodeAttempt, NewRunEvent[]>();
      for (const { source, text } of texts) {
        const { attempt, eventsOf } = source;
        byAttempt.set(attempt, [...(byAttempt.get(attempt) ?? []), ...eventsOf(text)]);
      }
      await appendNodeText(
        this.parts.ctx,
        [...byAttempt].map(([{ held }, events]) => ({ ...held, events })),
      );
    } catch (reason) {
      this.logOutage(reason);
    }
  }
}

/** The consumption of a node, without its output. */
const toUsage = (outcome: Exclude<NodeOutcome, { kind: 'lost' }>): Usage => {
  if (outcome.kind !== 'succeeded' && outcome.kind !== 'failed') return {};
  const { modelCalls = 0, tokenInput = 0, tokenOutput = 0, tokenDetails = null, cost = 0, reserved = false } = outcome;
  return { modelCalls, tokenInput, tokenOutput, tokenDetails, cost, reserved };
};

/** Names a node of a run among the running nodes. */
const toNodeName = ({ runId, nodeKey }: { runId: string; nodeKey: string }): string => `${runId} ${nodeKey}`;

const toNodeEnd = (outcome: Exclude<NodeOutcome, { kind: 'lost' }>): NodeEnd => {
  switch (outcome.kind) {
    case 'failed':
      return outcome.timedOut ? 'timed_out' : 'failed';
    case 'mapped':
      return 'waiting';
    default:
      return outcome.kind;
  }
};
