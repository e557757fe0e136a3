import { type Context, notFound, requireScope } from '@lensforge/core';
import { StoredExperiment } from './experiment.entity.js';

/** An experiment of the caller; NOT_FOUND for those of others. */
export async function readableExperiment(ctx: Context, id: string): Promise<StoredExperiment> {
  requireScope(ctx, 'lenses:read');
  const found = await ctx.db.findOneBy(StoredExperiment, { id, accountId: ctx.actor.accountId });
  if (!found) throw notFound('experiment', id);
  return found;
}

/** An experiment of the caller, locked until the transaction ends. */
export async function writableExperiment(ctx: Context, id: string): Promise<StoredExperiment> {
  requireScope(ctx, 'lenses:write');
  const where = { id, accountId: ctx.actor.accountId };
  const found = await ctx.db.findOne(StoredExperiment, { where, lock: { mode: 'pessimistic_write' } });
  if (!found) throw notFound('experiment', id);
  return found;
}
