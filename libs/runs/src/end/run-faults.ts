import type { Context } from '@lensforge/core';

/** How many runs there are of each kind that must not be; every figure is 0 when all is well. */
export interface RunFaults {
  /** Unfinished long after their deadline, or with a lease that ran out long ago: nobody reconciles. */
  stuck: number;
  /** Ended, and their credits are still held. */
  unsettled: number;
  /** Of the latest: events that are not 1, 2, 3 … up to one terminal event at the end. */
  brokenEvents: number;
  /** Outbox rows that have been due for long. */
  unsent: number;
}

export interface RunFaultsOptions {
  /** How late is long. */
  lateMs: number;
  /** How many of the latest ended runs are looked at event by event. */
  latest: number;
}

const statement = `
with latest as (
  select id, status, last_sequence from runs where completed_at is not null order by id desc limit $2
), told as (
  select l.id, l.status, l.last_sequence, count(e.sequence) as events, min(e.sequence) as first, max(e.sequence) as last,
         count(*) filter (where e.type in ('run.succeeded', 'run.failed', 'run.canceled', 'run.timed_out')) as ends,
         (array_agg(e.type order by e.sequence desc))[1] as last_type
    from latest l left join run_events e on e.run_id = l.id
   group by l.id, l.status, l.last_sequence
)
select (select count(*)::int from runs where status = 'queued' and deadline_at < now() - $1 * interval '1 ms')
     + (select count(*)::int from runs where status = 'running'
          and least(deadline_at, lease_until) < now() - $1 * interval '1 ms') as stuck,
       (select count(*)::int from runs where completed_at is not null and billing_status = 'reserved') as unsettled,
       (select count(*)::int from told where first is distinct from 1 or last <> events or last <> last_sequence
          or ends <> 1 or last_type <> 'run.' || status) as "brokenEvents",
       (select count(*)::int from outbox where available_at < now() - $1 * interval '1 ms'
          and claimed_until < now() - $1 * interval '1 ms') as unsent`;

/** What an operator has to hear of, counted by indexes that are as good as empty. */
export async function runFaults(ctx: Context, { lateMs, latest }: RunFaultsOptions): Promise<RunFaults> {
  const [faults] = await ctx.db.query<[RunFaults]>(statement, [lateMs, latest]);
  return faults;
}
