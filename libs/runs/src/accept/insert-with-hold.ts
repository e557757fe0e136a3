import { type Context, DomainError } from '@lensforge/core';
import { inNestedTransaction } from '@lensforge/database';
import { type Funding, holdFor } from './funding.js';
import { type Capacity, type Insertion, type NewRun, insertRuns } from './insert-runs.js';

export interface RunOrder {
  ctx: Context;
  run: NewRun;
  limits: Funding['limits'];
}

/** Inserts a run in a transaction or savepoint of its own, so that a refused hold refuses this run only. */
export const insertInTransaction = (order: RunOrder, capacity: Capacity): Promise<Insertion> =>
  inNestedTransaction(order.ctx, (ctx) => insertWithHold({ ...order, ctx }, capacity));

/** Inserts a run with its hold of credits, in the current transaction. */
export async function insertWithHold({ ctx, run, limits }: RunOrder, capacity: Capacity): Promise<Insertion> {
  const [inserted] = await insertRuns(ctx, [run], capacity);
  if (!inserted) throw new Error('nothing was inserted');
  if (inserted instanceof DomainError) throw inserted;
  if (inserted.isWritten) await holdFor(ctx, [toRunHold(run, limits)]);
  return inserted;
}

export const toRunHold = (run: NewRun, limits: Funding['limits']) => ({
  ...run,
  payerAccountId: run.payerAccountId ?? null,
  limits,
});
