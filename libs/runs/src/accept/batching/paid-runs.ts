import { DomainError, batchCalls } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { holdFor } from '../funding.js';
import { type Capacity, type Insertion, insertRuns } from '../insert-runs.js';
import { type RunOrder, toRunHold, insertInTransaction } from '../insert-with-hold.js';
import { oncePerKey } from './once-per-key.js';

/** The outcome of one order; a fault of the database in the middle of a batch concerns the remaining orders only. */
type Outcome = Insertion | DomainError | { fault: unknown };

interface Batch {
  insert: (order: RunOrder) => Promise<Outcome>;
  callers: number;
}

/** Inserts runs with their holds. Concurrent runs on the same credits share a commit; else they would lock the balance one by one. */
export class PaidRuns {
  private readonly batches = new Map<string, Batch>();

  constructor(private readonly capacity: Capacity) {}

  async insert(order: RunOrder): Promise<Insertion | DomainError> {
    const { ctx, run, limits } = order;
    const { db, actor } = ctx;
    if (db.queryRunner) return insertInTransaction(order, this.capacity);
    const name = JSON.stringify([run.payerAccountId, actor.accountId, actor.credential, limits]);
    const batch = this.batches.get(name) ?? {
      insert: batchCalls((orders: RunOrder[]) => this.insertBatch(orders), { maxSize: 100, concurrency: 1 }),
      callers: 0,
    };
    this.batches.set(name, batch);
    batch.callers += 1;
    try {
      const outcome = await batch.insert(order);
      if ('fault' in outcome) throw outcome.fault;
      return outcome;
    } finally {
      batch.callers -= 1;
      if (batch.callers === 0) this.batches.delete(name);
    }
  }

  private async insertBatch(orders: readonly RunOrder[]): Promise<Outcome[]> {
    const [{ ctx, limits }] = orders as [RunOrder];
    try {
      const runs = orders.map(({ run }) => run);
      return await oncePerKey(runs, (unique) =>
        inTransaction(ctx, async (ctx) => {
          const inserted = await insertRuns(ctx, unique, this.capacity);
          const written = unique.filter((_, index) => isWritten(inserted[index]));
          await holdFor(
            ctx,
            written.map((run) => toRunHold(run, limits)),
          );
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
      const outcome = await insertInTransaction(order, this.capacity).catch((reason: unknown): Outcome =>
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
