import { type Context, keyedMutex } from '@lensforge/core';
import { inTransaction, perDatabase } from '@lensforge/database';

const mutexes = perDatabase(() => keyedMutex());

/**
 * Runs `work` in a transaction, or in the current one. Transactions of one AI lenser lock the same rows, so that this process
 * begins them one after the other: those that wait hold no connection.
 */
export const inOrder = <T>(ctx: Context, agentId: string, work: (ctx: Context) => Promise<T>): Promise<T> =>
  ctx.db.queryRunner
    ? inTransaction(ctx, work)
    : mutexes.of(ctx)(agentId.toLowerCase(), () => inTransaction(ctx, work));
