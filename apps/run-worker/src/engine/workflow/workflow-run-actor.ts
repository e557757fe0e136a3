import type { Context } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import {
  type RunMove,
  type RunSnapshot,
  copyNodeResults,
  lockRun,
  moveNodes,
  moveWithSettlement,
  readNodeValues,
  readSnapshots,
} from '@lensforge/runs';
import { contextOfRun } from '../context-of-run.js';
import { recordWorkflowSpan } from '../genai-spans.js';
import { withLongRetry } from '../database-writes.js';
import { type ClaimedNode, type DecideOptions, type Decision, decide, ended } from './decide.js';
import { maxOutputBytes } from './decision-values.js';
import type { NodeEvent } from './node-events.js';
import { reusableNodes } from './reusable-nodes.js';
import { type NodePosition, NodePositions, type Plan, planGraph } from './plan.js';
import { Computations, Uncomputed } from './computations.js';
import type { LargeReads } from './large-reads.js';
import { MissingValues, type Value } from './scope-values.js';
import type { ValueCache } from './value-cache.js';

export interface ActorParts {
  ctx: Context;
  /** Moves of several runs share a statement. */
  move: (move: RunMove) => Promise<boolean>;
  planOf: (versionId: string) => Promise<Plan>;
  options: () => Omit<DecideOptions, 'valueOf' | 'computations'>;
  values: ValueCache;
  largeReads: LargeReads;
  begin: (actor: WorkflowRunActor, snapshot: RunSnapshot, claimed: ClaimedNode, requestedAt: number) => void;
  idle: (actor: WorkflowRunActor) => void;
  now: () => number;
}

interface PendingEvent {
  event: NodeEvent;
  resolve: (accepted: boolean) => void;
  reject: (reason: unknown) => void;
}

const maxAtOnce = 500;
/** Larger sets of values are read by one caller at a time. */
const smallBytes = 262_144;

/**
 * The state of one run in this process. It decides on all pending events of the nodes at once and commits the decision; when
 * another worker has changed the run in between, it reads the run again and repeats the decision.
 */
export class WorkflowRunActor {
  snapshot: RunSnapshot | undefined;
  private positions: NodePositions | undefined;
  private pending: PendingEvent[] = [];
  private working = false;

  constructor(
    readonly runId: string,
    private readonly parts: ActorParts,
  ) {}

  get busy(): boolean {
    return this.working;
  }

  /** Resolves to false when the event came too late. */
  apply(event: NodeEvent): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.pending.push({ event, resolve, reject });
      if (this.working) return;
      this.working = true;
      setImmediate(() => void this.work());
    });
  }

  /** The position of a node in the graph; the run must have been read. */
  requirePosition(key: string): NodePosition {
    if (!this.positions) throw new Error(`run ${this.runId} has not been read`);
    return this.positions.of(key);
  }

  /**
   * Calls `use` until it misses no values, and reads missing values from PostgreSQL, up to `maxBytes`. One caller at a time
   * holds large values.
   */
  async withValues<T>(
    use: (valueOf: ValueOf) => Promise<T>,
    { maxBytes, transaction }: { maxBytes: number; transaction?: Context | undefined },
  ): Promise<T> {
    const loaded = new Map<string, Value>();
    let release: (() => void) | undefined;
    try {
      for (;;) {
        try {
          return await use((key) => loaded.get(key) ?? this.parts.values.get(this.runId, key));
        } catch (reason) {
          if (!(reason instanceof MissingValues)) throw reason;
          const read = (most: number) => this.loadValues(reason.keys, { transaction, maxBytes: most, loaded });
          if (!release && (await read(smallBytes))) continue;
          // A transaction must not wait for the mutex.
          if (!transaction) release ??= await this.parts.largeReads.acquire();
          if (!(await read(maxBytes))) for (const key of reason.keys) loaded.set(key, tooLarge);
        }
      }
    } finally {
      release?.();
    }
  }

  /** Returns false when the values are larger than `maxBytes`. */
  private async loadValues(
    keys: readonly string[],
    {
      transaction,
      maxBytes,
      loaded,
    }: { transaction: Context | undefined; maxBytes: number; loaded: Map<string, Value> },
  ): Promise<boolean> {
    const found = transaction
      ? await readNodeValues(transaction, this.runId, keys, maxBytes)
      : await withLongRetry(() => readNodeValues(this.parts.ctx, this.runId, keys, maxBytes));
    const known = new Set(found.map(({ key }) => key));
    const missing = keys.find((key) => !known.has(key));
    if (missing !== undefined) throw new Error(`run ${this.runId} has no node ${missing}`);
    if (found.some((value) => value.tooLarge)) return false;
    for (const { key, status, input, output, error, size } of found) {
      const value = { input, output, error, size, open: !ended.has(status) };
      loaded.set(key, value);
      this.parts.values.set(this.runId, key, value);
    }
    return true;
  }

  private async work(): Promise<void> {
    while (this.pending.length > 0) {
      const batch = this.pending.slice(0, maxAtOnce);
      this.pending = this.pending.slice(maxAtOnce);
      try {
        const accepted = await this.settle(batch.map(({ event }) => event));
        batch.forEach(({ resolve }, index) => resolve(accepted[index] ?? false));
      } catch (reason) {
        this.snapshot = undefined;
        for (const { reject } of batch) reject(reason);
      }
    }
    this.working = false;
    this.parts.idle(this);
  }

  private async settle(events: readonly NodeEvent[]): Promise<boolean[]> {
    for (let tries = 0; tries < 2; tries += 1) {
      const known = this.snapshot;
      const snapshot = known ?? (await withLongRetry(() => this.read(this.parts.ctx)));
      if (!snapshot) return events.map(() => false);
      const requestedAt = this.parts.now();
      const decision = await this.decide(snapshot, events);
      if (!decision.move) {
        if (!known || events.every((each) => isPast(snapshot, each))) return decision.accepted;
        this.snapshot = undefined;
        continue;
      }
      const { move } = decision;
      const moved = decision.needsSettlement
        ? await withLongRetry(() => moveWithSettlement(contextOfRun(this.parts.ctx, snapshot), move))
        : await this.parts.move(move);
      if (moved) return this.afterCommit(decision, requestedAt);
      this.snapshot = undefined;
    }
    return this.settleLocked(events);
  }

  /** Locks the nodes of the run, because other workers change it faster than this one can decide. */
  private async settleLocked(events: readonly NodeEvent[]): Promise<boolean[]> {
    const requestedAt = this.parts.now();
    const outcome = await withLongRetry(() =>
      inTransaction(this.parts.ctx, async (ctx) => {
        await lockRun(ctx, this.runId);
        const snapshot = await this.read(ctx);
        if (!snapshot) return undefined;
        const decision = await this.decide(snapshot, events, ctx);
        const { move, needsSettlement } = decision;
        if (!move) return { decision, moved: false };
        const [moved] = needsSettlement
          ? [await moveWithSettlement(contextOfRun(ctx, snapshot), move)]
          : await moveNodes(ctx, [move]);
        return { decision, moved };
      }),
    );
    if (!outcome) return events.map(() => false);
    const { decision, moved } = outcome;
    return moved ? this.afterCommit(decision, requestedAt) : decision.accepted.map(() => false);
  }

  private async read(ctx: Context): Promise<RunSnapshot | undefined> {
    let [snapshot] = await readSnapshots(ctx, [this.runId]);
    if (!snapshot) return undefined;
    this.positions ??= new NodePositions(await this.readPlan(snapshot));
    const { keepFrom: from, repeatNode } = (snapshot.cause ?? {}) as { keepFrom?: unknown; repeatNode?: string };
    if (!snapshot.planned && snapshot.nodes.size === 0 && typeof from === 'string') {
      const [before] = await readSnapshots(ctx, [from]);
      const keys = before
        ? reusableNodes(this.positions.plan, { plan: await this.readPlan(before), nodes: before.nodes, repeatNode })
        : [];
      await copyNodeResults(ctx, this.runId, { from, keys });
      [snapshot] = await readSnapshots(ctx, [this.runId]);
    }
    this.snapshot = snapshot;
    return snapshot;
  }

  private readPlan({ runId, workflowVersionId, lensId }: RunSnapshot): Plan | Promise<Plan> {
    if (workflowVersionId !== null) return this.parts.planOf(workflowVersionId);
    if (lensId === null) throw new Error(`run ${runId} has no nodes`);
    return planGraph({
      nodes: [{ id: 'lens', type: 'lens', onError: 'fail', settings: { lensId, params: {} } }],
      edges: [],
    });
  }

  private async decide(snapshot: RunSnapshot, events: readonly NodeEvent[], transaction?: Context): Promise<Decision> {
    const computations = new Computations();
    const decideOnce = async (valueOf: ValueOf): Promise<Decision> => {
      for (;;) {
        try {
          return decide(snapshot, this.positions as NodePositions, events, {
            ...this.parts.options(),
            valueOf,
            computations,
          });
        } catch (reason) {
          if (!(reason instanceof Uncomputed)) throw reason;
          await computations.settle(snapshot.accountId);
        }
      }
    };
    return this.withValues(decideOnce, { maxBytes: maxOutputBytes, transaction });
  }

  private afterCommit({ move, snapshot, nodes, values, claimed, accepted }: Decision, requestedAt: number): boolean[] {
    this.snapshot = snapshot;
    if (move?.end && snapshot.workflowId !== null) {
      const { runId, workflowId, traceparent, acceptedAt } = snapshot;
      const startedAt = Date.parse(acceptedAt);
      const errorCode = move.end.failure?.errorCode;
      recordWorkflowSpan({
        runId,
        workflowId,
        traceparent,
        startedAt,
        endedAt: this.parts.ctx.now().getTime(),
        errorCode,
      });
    }
    for (const [key, node] of nodes) snapshot.nodes.set(key, node);
    for (const [key, value] of values) this.parts.values.set(this.runId, key, value);
    for (const each of claimed) this.parts.begin(this, snapshot, each, requestedAt);
    return accepted;
  }
}

export type ValueOf = (key: string) => Value | undefined;

const tooLarge: Value = { input: null, output: null, error: null, size: 0, tooLarge: true };

/** A node never returns to an earlier generation, so a stale snapshot suffices to reject these events. */
function isPast({ status, nodes }: RunSnapshot, event: NodeEvent): boolean {
  if (status !== 'running') return true;
  if (event.kind !== 'claim') return false;
  const node = nodes.get(event.key);
  if (!node || node.status === 'waiting') return false;
  return node.generation > event.generation || (node.generation === event.generation && node.status !== 'queued');
}
