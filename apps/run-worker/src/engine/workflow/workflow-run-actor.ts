import type { RunEvent } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import type { OutboxRow } from '@lensforge/database';
import { inTransaction, withDbRetry } from '@lensforge/database';
import type { Moved, RunMove, RunSnapshot } from '@lensforge/runs';
import {
  lockRun,
  copyNodeResults,
  moveWithSettlement,
  moveNodes,
  readNodeValues,
  readSnapshots,
} from '@lensforge/runs';
import type { Decision, ClaimedNodes, Taken } from './decide.js';
import { decide, ended, mostBytesGathered } from './decide.js';
import type { NodeEvent } from './node-events.js';
import { keptOf } from './kept-results.js';
import type { Plan } from './plan.js';
import { Places } from './plan.js';
import { Computations, Uncomputed } from './computations.js';
import type { LargeReads } from './large-reads.js';
import type { Value } from './scope-values.js';
import { Missing } from './scope-values.js';
import type { ValueCache } from './value-cache.js';

export interface ActorParts {
  ctx: Context;
  /** The moves of many runs share a statement. */
  move: (move: RunMove) => Promise<Moved | undefined>;
  planOf: (versionId: string) => Promise<Plan>;
  hands: () => Omit<ClaimedNodes, 'valueOf' | 'computations'>;
  values: ValueCache;
  largeReads: LargeReads;
  tell: (events: readonly RunEvent[]) => void;
  handOver: (rows: readonly OutboxRow[]) => void;
  ended: (accountId: string) => void;
  begin: (desk: WorkflowRunActor, sheet: RunSnapshot, taken: Taken, askedAt: number) => void;
  idle: (desk: WorkflowRunActor) => void;
  now: () => number;
}

interface Letter {
  happening: NodeEvent;
  resolve: (accepted: boolean) => void;
  reject: (reason: unknown) => void;
}

const mostAtOnce = 500;
/** Values that are read without waiting for others; larger ones are read one set at a time. */
const smallBytes = 262_144;
const patience = { timeoutMs: 30_000, retryLockTimeouts: true };

/**
 * What this process knows of one run. What happens to its nodes is decided here, as much at once as there is, and counts
 * from the commit on: when somebody else has moved the run in between, it is decided anew on what is in Postgres.
 */
export class WorkflowRunActor {
  sheet: RunSnapshot | undefined;
  private places: Places | undefined;
  private mailbox: Letter[] = [];
  private working = false;

  constructor(
    readonly runId: string,
    private readonly parts: ActorParts,
  ) {}

  get busy(): boolean {
    return this.working;
  }

  /** False when it came too late to count. */
  happen(happening: NodeEvent): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.mailbox.push({ happening, resolve, reject });
      if (this.working) return;
      this.working = true;
      setImmediate(() => void this.work());
    });
  }

  /** Where a node of the run is, once the run is known. */
  place(key: string): ReturnType<Places['of']> {
    if (!this.places) throw new Error(`nothing is known of run ${this.runId}`);
    return this.places.of(key);
  }

  /**
   * What `use` comes to, with the values that it finds missing read from PostgreSQL: at most `mostBytes` of them. Large
   * values are in the hands of one caller at a time.
   */
  async knowing<T>(
    use: (valueOf: ValueOf) => Promise<T>,
    { mostBytes, transaction }: { mostBytes: number; transaction?: Context | undefined },
  ): Promise<T> {
    const learnt = new Map<string, Value>();
    let leave: (() => void) | undefined;
    try {
      for (;;) {
        try {
          return await use((key) => learnt.get(key) ?? this.parts.values.get(this.runId, key));
        } catch (reason) {
          if (!(reason instanceof Missing)) throw reason;
          const read = (most: number) => this.learn(reason.keys, { transaction, mostBytes: most, learnt });
          if (!leave && (await read(smallBytes))) continue;
          // A transaction waits for nothing but its own statements.
          if (!transaction) leave ??= await this.parts.largeReads.enter();
          if (!(await read(mostBytes))) for (const key of reason.keys) learnt.set(key, tooLarge);
        }
      }
    } finally {
      leave?.();
    }
  }

  /** False when the values are larger than that. */
  private async learn(
    keys: readonly string[],
    {
      transaction,
      mostBytes,
      learnt,
    }: { transaction: Context | undefined; mostBytes: number; learnt: Map<string, Value> },
  ): Promise<boolean> {
    const found = transaction
      ? await readNodeValues(transaction, this.runId, keys, mostBytes)
      : await withDbRetry(() => readNodeValues(this.parts.ctx, this.runId, keys, mostBytes), patience);
    const known = new Set(found.map(({ key }) => key));
    const lacking = keys.find((key) => !known.has(key));
    if (lacking !== undefined) throw new Error(`run ${this.runId} has no node ${lacking}`);
    if (found.some((value) => value.tooLarge)) return false;
    for (const { key, status, input, output, error, size } of found) {
      const value = { input, output, error, size, open: !ended.has(status) };
      learnt.set(key, value);
      this.parts.values.set(this.runId, key, value);
    }
    return true;
  }

  private async work(): Promise<void> {
    while (this.mailbox.length > 0) {
      const letters = this.mailbox.slice(0, mostAtOnce);
      this.mailbox = this.mailbox.slice(mostAtOnce);
      try {
        const accepted = await this.settle(letters.map(({ happening }) => happening));
        letters.forEach(({ resolve }, index) => resolve(accepted[index] ?? false));
      } catch (reason) {
        this.sheet = undefined;
        for (const { reject } of letters) reject(reason);
      }
    }
    this.working = false;
    this.parts.idle(this);
  }

  private async settle(happenings: readonly NodeEvent[]): Promise<boolean[]> {
    for (let tries = 0; tries < 2; tries += 1) {
      const known = this.sheet;
      const sheet = known ?? (await withDbRetry(() => this.read(this.parts.ctx), patience));
      if (!sheet) return happenings.map(() => false);
      const askedAt = this.parts.now();
      const decision = await this.decided(sheet, happenings);
      if (!decision.move) {
        if (!known || happenings.every((each) => isPast(sheet, each))) return decision.accepted;
        this.sheet = undefined;
        continue;
      }
      const { move } = decision;
      const moved = decision.entangled
        ? await withDbRetry(() => moveWithSettlement(this.contextOf(sheet), move), patience)
        : await this.parts.move(move);
      if (moved) return this.heard(decision, moved, askedAt);
      this.sheet = undefined;
    }
    return this.settleAlone(happenings);
  }

  /** Others move the same run all the time: for once they have to wait. */
  private async settleAlone(happenings: readonly NodeEvent[]): Promise<boolean[]> {
    const askedAt = this.parts.now();
    const outcome = await withDbRetry(
      () =>
        inTransaction(this.parts.ctx, async (ctx) => {
          await lockRun(ctx, this.runId);
          const sheet = await this.read(ctx);
          if (!sheet) return undefined;
          const decision = await this.decided(sheet, happenings, ctx);
          const { move, entangled } = decision;
          if (!move) return { decision, moved: undefined };
          const [moved] = entangled
            ? [await moveWithSettlement({ ...this.contextOf(sheet), db: ctx.db }, move)]
            : await moveNodes(ctx, [move]);
          return { decision, moved };
        }),
      patience,
    );
    if (!outcome) return happenings.map(() => false);
    const { decision, moved } = outcome;
    return moved ? this.heard(decision, moved, askedAt) : decision.accepted.map(() => false);
  }

  private async read(ctx: Context): Promise<RunSnapshot | undefined> {
    let [sheet] = await readSnapshots(ctx, [this.runId]);
    if (!sheet?.workflowVersionId) return undefined;
    this.places ??= new Places(await this.parts.planOf(sheet.workflowVersionId));
    const from = sheet.cause?.['keepFrom'];
    if (!sheet.planned && sheet.nodes.size === 0 && typeof from === 'string') {
      const [before] = await readSnapshots(ctx, [from]);
      const keys = before ? keptOf(this.places.plan, before.nodes) : [];
      await copyNodeResults(ctx, this.runId, { from, keys });
      [sheet] = await readSnapshots(ctx, [this.runId]);
    }
    this.sheet = sheet;
    return sheet;
  }

  private async decided(
    sheet: RunSnapshot,
    happenings: readonly NodeEvent[],
    transaction?: Context,
  ): Promise<Decision> {
    const computations = new Computations();
    const decideOnce = async (valueOf: ValueOf): Promise<Decision> => {
      for (;;) {
        try {
          return decide(sheet, this.places as Places, happenings, { ...this.parts.hands(), valueOf, computations });
        } catch (reason) {
          if (!(reason instanceof Uncomputed)) throw reason;
          await computations.settle(sheet.accountId);
        }
      }
    };
    return this.knowing(decideOnce, { mostBytes: mostBytesGathered, transaction });
  }

  private heard({ sheet, nodes, values, taken, accepted }: Decision, moved: Moved, askedAt: number): boolean[] {
    this.sheet = sheet;
    for (const [key, node] of nodes) sheet.nodes.set(key, node);
    for (const [key, value] of values) this.parts.values.set(this.runId, key, value);
    this.parts.handOver(moved.handOver);
    for (const each of taken) this.parts.begin(this, sheet, each, askedAt);
    this.parts.tell(moved.events);
    const endedOthers = moved.events.some(({ runId }) => runId !== this.runId);
    if (sheet.status !== 'running' || endedOthers) this.parts.ended(sheet.accountId);
    return accepted;
  }

  contextOf({ requestId, traceparent }: RunSnapshot): Context {
    return { ...this.parts.ctx, requestId, traceparent: traceparent ?? undefined };
  }
}

export type ValueOf = (key: string) => Value | undefined;

const tooLarge: Value = { input: null, output: null, error: null, size: 0, tooLarge: true };

/** A node does not come back to a generation that it has left, so what is known of it suffices. */
function isPast({ status, nodes }: RunSnapshot, happening: NodeEvent): boolean {
  if (status !== 'running') return true;
  if (happening.kind !== 'claim') return false;
  const node = nodes.get(happening.key);
  if (!node || node.status === 'waiting') return false;
  return (
    node.generation > happening.generation || (node.generation === happening.generation && node.status !== 'queued')
  );
}
