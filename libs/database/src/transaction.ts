import type { Context } from '@lensforge/core';
import { withDbRetry } from './db-retry.js';

/**
 * Runs `work` in a transaction, or in the current one. The work is repeated after transient errors, so it must have no
 * effects outside of `ctx.db`. The callback's `ctx` shadows the outer one on purpose.
 */
export function inTransaction<T>(ctx: Context, work: (ctx: Context) => Promise<T>): Promise<T> {
  if (ctx.db.queryRunner?.isTransactionActive) return work(ctx);
  return withDbRetry(() => ctx.db.transaction((db) => work({ ...ctx, db })));
}
