import type { Context } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';

export interface StreamPosition {
  /** The number of events in the stream's log. */
  position: number;
  /** True if all runs of the stream have ended and all their events are in the log. */
  ended: boolean;
}

interface Head {
  accountId: string;
  label: string;
  isNew: boolean;
}

const tagHours = 24;

/**
 * Adds newly committed events to the log of a stream. The position of an event never changes, so that clients can resume
 * at a position. A row lock admits one process at a time; the others only read.
 */
export function advanceRunStream(ctx: Context, streamId: string): Promise<StreamPosition | undefined> {
  return inTransaction(ctx, async (ctx) => {
    const [head] = await ctx.db.query<Head[]>(
      `select account_id as "accountId", label, seen = '0'::xid8 as "isNew" from run_streams where id = $1 for update skip locked`,
      [streamId],
    );
    if (head) {
      await addRuns(ctx, streamId, head);
      await addEvents(ctx, streamId);
    }
    const [position] = await ctx.db.query<StreamPosition[]>(
      `select s.position::float8 as position,
              s.seen <> '0'::xid8
                and not exists (select from run_stream_runs p where p.stream_id = s.id and not p.ended) as ended
         from run_streams s where s.id = $1`,
      [streamId],
    );
    return position;
  });
}

/**
 * Adds the runs that got the label since the last call. Rows of transactions that were open at that time are read again.
 */
async function addRuns({ db }: Context, streamId: string, { accountId, label, isNew }: Head): Promise<void> {
  const batch = label.startsWith('batch ');
  const since = isNew ? firstRuns(batch) : `l.written >= least(s.seen, pg_snapshot_xmin(pg_current_snapshot()))`;
  await db.query(
    `with joined as (
       insert into run_stream_runs (stream_id, run_id)
       select s.id, l.run_id from run_streams s join run_labels l on l.account_id = $2 and l.label = $3
        where s.id = $1 and ${since}
       on conflict do nothing returning run_id
     )
     update run_streams set seen = pg_snapshot_xmin(pg_current_snapshot()), used_at = now()
      where id = $1 and (seen = '0'::xid8 or exists (select from joined) or used_at < now() - interval '1 minute')`,
    [streamId, accountId, label],
  );
}

/** SQL condition for the first runs of a stream: all of a batch; of a tag the open ones and those of the last day. */
const firstRuns = (batch: boolean): string =>
  batch
    ? 'true'
    : `(l.run_id >= first_id_of(now() - interval '${tagHours} hours') or l.run_id in (
         select id from runs where account_id = $2 and status in ('queued', 'running') and admitted_at is not null
         union all select id from runs where account_id = $2 and status = 'queued' and admitted_at is null))`;

async function addEvents({ db }: Context, streamId: string): Promise<void> {
  await db.query(
    `with moved as materialized (
       select p.run_id, p.last_sequence, coalesce(r.last_sequence, p.last_sequence) as last, r.id is null or r.completed_at is not null as ended
         from run_stream_runs p left join runs r on r.id = p.run_id
        where p.stream_id = $1 and not p.ended
          and (r.id is null or r.last_sequence > p.last_sequence or r.completed_at is not null)
     ), noted as (
       update run_stream_runs p set last_sequence = m.last, ended = m.ended from moved m
        where p.stream_id = $1 and p.run_id = m.run_id
     ), written as (
       insert into run_stream_ranges (stream_id, position, run_id, first_sequence, last_sequence)
       select $1, s.position + 1 + sum(m.last - m.last_sequence) over (order by m.run_id) - (m.last - m.last_sequence), m.run_id, m.last_sequence + 1, m.last
         from moved m, run_streams s where s.id = $1 and m.last > m.last_sequence
       returning last_sequence - first_sequence + 1 as events
     )
     update run_streams set position = position + w.events
       from (select coalesce(sum(events), 0)::bigint as events from written) w where id = $1 and w.events > 0`,
    [streamId],
  );
}
