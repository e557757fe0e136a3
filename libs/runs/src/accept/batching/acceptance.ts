import { type Context, DomainError, batchCalls, keyedMutex } from '@lensforge/core';
import { inNestedTransaction, inTransaction, perDatabase, retryOutsideTransaction } from '@lensforge/database';
import type { DataSource } from 'typeorm';
import { type RunLimits, getRunLimits, setRunLimits } from '../../run-limits.js';
import { type Funding, holdFor } from '../funding.js';
import { type Capacity, type Insertion, type NewRun, insertRuns } from '../insert-runs.js';
import { ConcurrencySlots } from './concurrency-slots.js';

/** A run to insert, with the credit limits of its hold. */
export interface RunOrder {
  ctx: Context;
  run: NewRun;
  limits: Funding['limits'];
}

/** The outcome of one order; a fault of the database in the middle of a batch concerns the remaining orders only. */
type Outcome = Insertion | DomainError | { fault: unknown };

interface PaidBatch {
  insert: (order: RunOrder) => Promise<Outcome>;
  callers: number;
}

/** The state that concurrent acceptances of a process share: limits, free slots and open batches. */
export class Acceptance implements Capacity {
  readonly slots: ConcurrencySlots;
  /** Serialises work by key in this process. */
  readonly inOrder = keyedMutex();
  private readonly insertFreeBatched = batchCalls((orders: RunOrder[]) => this.insertFree(orders), {
    maxSize: 100,
    concurrency: 2,
  });
  private readonly paid = new Map<string, PaidBatch>();

  constructor(readonly limits: RunLimits) {
    this.slots = new ConcurrencySlots(limits.processes);
  }

  /**
   * Inserts a run with its hold of credits. Concurrent runs share a statement, and those on the same credits a commit; each call
   * returns after the commit of its own run. Within a transaction of the caller, which has its own connection, nothing is shared.
   */
  async insert(order: RunOrder): Promise<Insertion | DomainError> {
    const isFree = order.run.hold === 0;
    if (!order.ctx.db.queryRunner) return isFree ? this.insertFreeBatched(order) : this.insertPaidBatched(order);
    return isFree ? ((await this.insertFree([order]))[0] as Insertion | DomainError) : this.insertInTransaction(order);
  }

  /** Inserts a run with its hold of credits, in the current transaction. */
  async insertWithHold({ ctx, run, limits }: RunOrder): Promise<Insertion> {
    const [inserted] = await insertRuns(ctx, [run], this);
    if (!inserted) throw new Error('nothing was inserted');
    if (inserted instanceof DomainError) throw inserted;
    if (inserted.isWritten) await holdFor(ctx, [run], limits);
    return inserted;
  }

  /** Inserts a run in a transaction or savepoint of its own, so that a refused hold refuses this run only. */
  private insertInTransaction(order: RunOrder): Promise<Insertion> {
    return inNestedTransaction(order.ctx, (ctx) => this.insertWithHold({ ...order, ctx }));
  }

  private insertFree(orders: readonly RunOrder[]): Promise<(Insertion | DomainError)[]> {
    const [{ ctx }] = orders as [RunOrder];
    const runs = orders.map(({ run }) => run);
    return oncePerKey(runs, (unique) => retryOutsideTransaction(ctx, () => insertRuns(ctx, unique, this)));
  }

  /** Without a shared commit, runs on the same credits would lock the balance one by one. */
  private async insertPaidBatched(order: RunOrder): Promise<Insertion | DomainError> {
    const { ctx, run, limits } = order;
    const { accountId, credential } = ctx.actor;
    const name = JSON.stringify([run.payerAccountId, accountId, credential, limits]);
    const batch = this.paid.get(name) ?? {
      insert: batchCalls((orders: RunOrder[]) => this.insertPaid(orders), { maxSize: 100, concurrency: 1 }),
      callers: 0,
    };
    this.paid.set(name, batch);
    batch.callers += 1;
    try {
      const outcome = await batch.insert(order);
      if ('fault' in outcome) throw outcome.fault;
      return outcome;
    } finally {
      batch.callers -= 1;
      if (batch.callers === 0) this.paid.delete(name);
    }
  }

  private async insertPaid(orders: readonly RunOrder[]): Promise<Outcome[]> {
    const [{ ctx, limits }] = orders as [RunOrder];
    try {
      const runs = orders.map(({ run }) => run);
      return await oncePerKey(runs, (unique) =>
        inTransaction(ctx, async (ctx) => {
          const inserted = await insertRuns(ctx, unique, this);
          const written = unique.filter((_, index) => isWritten(inserted[index]));
          await holdFor(ctx, written, limits);
          return inserted;
        }),
      );
    } catch (reason) {
      if (!(reason instanceof DomainError)) throw reason;
      if (orders.length === 1) return [reason];
    }
    return this.insertOneByOne(orders);
  }

  /** Inserts as many of the orders as there are credits for. */
  private async insertOneByOne(orders: readonly RunOrder[]): Promise<Outcome[]> {
    const outcomes: Outcome[] = [];
    let unaffordable: { hold: number; refusal: DomainError } | undefined;
    for (const order of orders) {
      const { hold, key } = order.run;
      // The same hold would be refused again; under an idempotency key the run may exist already.
      if (unaffordable && key === null && hold === unaffordable.hold) {
        outcomes.push(unaffordable.refusal);
        continue;
      }
      const outcome = await this.insertInTransaction(order).catch((reason: unknown): Outcome =>
        reason instanceof DomainError ? reason : { fault: reason },
      );
      if (outcome instanceof DomainError && outcome.code === 'INSUFFICIENT_CREDITS') {
        unaffordable = { hold, refusal: outcome };
      }
      outcomes.push(outcome);
    }
    return outcomes;
  }
}

const isWritten = (inserted: Insertion | DomainError | undefined): boolean =>
  inserted !== undefined && !(inserted instanceof DomainError) && inserted.isWritten;

/** Inserts the first of several runs with one idempotency key and returns it for the others too. */
export async function oncePerKey(
  runs: readonly NewRun[],
  insert: (unique: readonly NewRun[]) => Promise<(Insertion | DomainError)[]>,
): Promise<(Insertion | DomainError)[]> {
  const firstByKey = new Map<string, NewRun>();
  for (const run of runs) {
    const name = toDedupKey(run);
    if (!firstByKey.has(name)) firstByKey.set(name, run);
  }
  const inserted = await insert([...firstByKey.values()]);
  const byKey = new Map(
    [...firstByKey.keys()].map((name, index) => [name, inserted[index] as Insertion | DomainError]),
  );
  return runs.map((run) => {
    const name = toDedupKey(run);
    const outcome = byKey.get(name) as Insertion | DomainError;
    return outcome instanceof DomainError || firstByKey.get(name) === run ? outcome : { ...outcome, isNew: false };
  });
}

/** Runs with the same key are one run. */
const toDedupKey = ({ id, key, accountId, targetId }: NewRun): string =>
  key === null ? id : `${accountId} ${targetId} ${key}`;

const acceptances = perDatabase((db) => new Acceptance(getRunLimits({ db })));

export const getAcceptance = (ctx: Context): Acceptance => acceptances.of(ctx);

/** Sets the limits of a database; called once at process start. */
export function limitRuns(source: DataSource, limits: RunLimits): void {
  setRunLimits(source, limits);
  acceptances.set(source, new Acceptance(limits));
}
