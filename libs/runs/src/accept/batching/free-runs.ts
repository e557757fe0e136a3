import { type DomainError, batchCalls } from '@lensforge/core';
import { retryOutsideTransaction } from '@lensforge/database';
import { type Capacity, type Insertion, insertRuns } from '../insert-runs.js';
import type { RunOrder } from '../insert-with-hold.js';
import { oncePerKey } from './once-per-key.js';

type Outcome = Insertion | DomainError;

/** Inserts runs without a hold. Concurrent calls share a statement; each returns after the commit of its own run. */
export class FreeRuns {
  private readonly insertBatched = batchCalls((orders: RunOrder[]) => this.insertBatch(orders), {
    maxSize: 100,
    concurrency: 2,
  });

  constructor(private readonly capacity: Capacity) {}

  async insert(order: RunOrder): Promise<Outcome> {
    // Within a transaction of the caller a shared statement would use another connection.
    if (order.ctx.db.queryRunner) return (await this.insertBatch([order]))[0] as Outcome;
    return this.insertBatched(order);
  }

  private insertBatch(orders: readonly RunOrder[]): Promise<Outcome[]> {
    const [{ ctx }] = orders as [RunOrder];
    const runs = orders.map(({ run }) => run);
    return oncePerKey(runs, (unique) => retryOutsideTransaction(ctx, () => insertRuns(ctx, unique, this.capacity)));
  }
}
