import type { Context } from '@lensforge/core';
import { recordRunChanges } from '@lensforge/database';
import { getRunLimits } from '../run-limits.js';

/** Lets a run that waits for its approval wait for a slot; false when it does not wait for one. The caller checks access. */
export async function releaseRun(ctx: Context, runId: string): Promise<boolean> {
  const [[run]] = await ctx.db.query<[{ accountId: string }[], number]>(
    `update runs set waits_for = 'slot', queued_at = now(), order_at = now(),
            deadline_at = now() + coalesce($2::float8, execution_ms) * interval '1 ms'
      where id = $1 and status = 'queued' and waits_for = 'approval' and deadline_at > now()
      returning account_id as "accountId"`,
    [runId, getRunLimits(ctx).queueMs ?? null],
  );
  if (!run) return false;
  recordRunChanges(ctx, { toAdmit: [{ accountId: run.accountId, concurrencyKey: null }] });
  return true;
}
