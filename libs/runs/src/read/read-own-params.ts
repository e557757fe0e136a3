import type { Context } from '@lensforge/core';

/** The parameters with which the caller started a run. */
export async function readOwnParams(ctx: Context, runId: string): Promise<Record<string, unknown>> {
  const [run] = await ctx.db.query<{ params: Record<string, unknown> }[]>(
    'select params from runs where id = $1 and account_id = $2',
    [runId, ctx.actor.accountId],
  );
  return run?.params ?? {};
}
