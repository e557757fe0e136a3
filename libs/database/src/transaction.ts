import type { Context } from '@lensforge/core';
import { withDbRetry } from './db-retry.js';

/**
 * Runs `work` in one transaction; inside another one it joins that. The whole is repeated when the database asks for
 * it, so `work` must do nothing outside of `ctx.db`. The callback's `ctx` shadows the outer one on purpose.
 */
export function inTransaction<T>(ctx: Context, work: (ctx: Context) => Promise<T>): Promise<T> {
  if (ctx.db.queryRunner?.isTransactionActive) return work(ctx);
  return withDbRetry(() => ctx.db.transaction((db) => work({ ...ctx, db })));
}
