import type { RunEvent, RunKind, RunStatus } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { readRunStreamSql } from './read-run-stream.sql.js';

export interface StreamedEvent {
  position: number;
  kind: RunKind;
  event: RunEvent;
}

/** Returns the events of the next `limit` positions after `after`; some may be past retention. */
export async function readRunStream(
  ctx: Context,
  streamId: string,
  { after, limit }: { after: number; limit: number },
): Promise<StreamedEvent[]> {
  const rows = await ctx.db.query<(RunEvent & { position: number; kind: RunKind })[]>(readRunStreamSql, [
    streamId,
    after,
    limit,
  ]);
  return rows.map(({ position, kind, eventType, payload, occurredAt, runId, sequence }) => ({
    position,
    kind,
    event: { eventType, payload, occurredAt, runId, sequence },
  }));
}

/** Returns the position after which a new client starts: the beginning of a batch, or the events of the last day of a tag. */
export async function firstPositionOfRunStream(
  ctx: Context,
  { id, endless }: { id: string; endless: boolean },
): Promise<number> {
  if (!endless) return 0;
  const [row] = await ctx.db.query<[{ after: number }]>(
    `select coalesce((select min(position) - 1 from run_stream_ranges where stream_id = $1 and written_at >= now() - interval '24 hours'),
                     (select position from run_streams where id = $1), 0)::float8 as after`,
    [id],
  );
  return row.after;
}

/** Counts the runs of a stream by status. */
export async function countEndedRunsOfStream(
  ctx: Context,
  streamId: string,
): Promise<Partial<Record<RunStatus, number>>> {
  const rows = await ctx.db.query<{ status: RunStatus; count: number }[]>(
    `select r.status, count(*)::int as count from run_stream_runs p join runs r on r.id = p.run_id
      where p.stream_id = $1 group by r.status order by r.status`,
    [streamId],
  );
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
}
