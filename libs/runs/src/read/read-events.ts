import type { RunEvent, RunStatus } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { preparedStatement } from '@lensforge/database';

const eventsAfter = preparedStatement(`
  select type as "eventType", payload, iso(occurred_at) as "occurredAt", run_id as "runId", sequence
    from run_events where run_id = $1 and sequence > $2 order by sequence limit $3`);

/** Returns stored events of a run after a sequence number, in order. */
export async function readEvents(ctx: Context, runId: string, after: number, limit = 1000): Promise<RunEvent[]> {
  return await ctx.db.query<RunEvent[]>(eventsAfter, [runId, after, limit]);
}

export interface RunPosition {
  id: string;
  status: RunStatus;
  lastSequence: number;
  completedAt: string | null;
}

/** Returns status and last sequence number of several runs in one statement. */
export async function readRunPositions(ctx: Context, runIds: readonly string[]): Promise<RunPosition[]> {
  return await ctx.db.query<RunPosition[]>(
    `select id, status, last_sequence as "lastSequence", iso(completed_at) as "completedAt" from runs where id = any($1)`,
    [runIds],
  );
}
