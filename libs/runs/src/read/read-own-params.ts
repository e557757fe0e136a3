import type { Context } from '@lensforge/core';
import { Run } from '../run.entity.js';

/** The parameters with which the caller started a run. */
export async function readOwnParams(ctx: Context, runId: string): Promise<Record<string, unknown>> {
  const run = await ctx.db.findOne(Run, {
    select: { params: true },
    where: { id: runId, accountId: ctx.actor.accountId },
  });
  return run?.params ?? {};
}
