import type { RunCause } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { toJsonb } from '@lensforge/database';

/** Records the cause of a run; false for a run that has another one. The caller checks access. */
export async function setRunCause(ctx: Context, runId: string, cause: RunCause): Promise<boolean> {
  const [changed] = await ctx.db.query<[{ id: string }[], number]>(
    `update runs set cause = coalesce(cause, '{}') || $2::jsonb where id = $1 and cause ->> 'kind' is null returning id`,
    [runId, toJsonb(cause)],
  );
  return changed.length > 0;
}
