import type { Context } from '@lensforge/core';
import type { WaitDecision } from './node-wait.entity.js';

export interface WaitState {
  decision: WaitDecision | null;
  details: unknown;
  value: unknown;
  comment: string | null;
  answeredBy: string | null;
  msLeft: number;
}

/** Returns the state of a wait and marks it as expired when its time is over, by the clock of the database. */
export async function readWait(ctx: Context, runId: string, waitId: string): Promise<WaitState | undefined> {
  await ctx.db.query(
    `update node_waits set decision = 'expired', answered_at = now()
      where run_id = $1 and id = $2 and decision is null and expires_at <= now()`,
    [runId, waitId],
  );
  const [wait] = await ctx.db.query<WaitState[]>(
    `select decision, details, value, comment, answered_by as "answeredBy",
            (extract(epoch from expires_at - now()) * 1000)::float8 as "msLeft"
       from node_waits where run_id = $1 and id = $2`,
    [runId, waitId],
  );
  return wait;
}
