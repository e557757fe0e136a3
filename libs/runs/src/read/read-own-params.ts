import type { Context } from '@lensforge/core';

/**
 * The parameters with which the caller started a run of a lens or workflow. Those of prompts are left out: runs of earlier
 * releases have instructions of AI lensers of others in them.
 */
export async function readOwnParams(ctx: Context, runId: string): Promise<Record<string, unknown>> {
  const [run] = await ctx.db.query<{ params: Record<string, unknown> }[]>(
    `select params from runs where id = $1 and account_id = $2 and kind in ('lens', 'workflow')`,
    [runId, ctx.actor.accountId],
  );
  return run?.params ?? {};
}
