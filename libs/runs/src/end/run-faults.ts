import type { Context } from '@lensforge/core';

/** Counts of violated invariants of runs; every count should be 0. */
export interface RunFaults {
  /** Runs that were not ended or requeued long after their deadline or lease. */
  stuck: number;
  /** Ended runs whose credits are still held. */
  unsettled: number;
  /** Of the latest ended runs: those whose events are not numbered 1, 2, 3 … up to one terminal event. */
  brokenEvents: number;
  /** Outbox rows that are long overdue. */
  unsent: number;
}

export interface RunFaultsOptions {
  /** The delay from which a run or row counts as stuck. */
  lateMs: number;
  /** The number of latest ended runs whose events are checked. */
  latest: number;
}

const statement = `
with latest as (
  select id, status, last_sequence from runs where completed_at is not null order by id desc limit $2
), counted as (
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
       (select count(*)::int from counted where first is distinct from 1 or last <> events or last <> last_sequence
          or ends <> 1 or last_type <> 'run.' || status) as "brokenEvents",
       (select count(*)::int from outbox where available_at < now() - $1 * interval '1 ms'
          and claimed_until < now() - $1 * interval '1 ms') as unsent`;

/** Counts violated invariants, by indexes that are normally almost empty. */
export async function runFaults(ctx: Context, { lateMs, latest }: RunFaultsOptions): Promise<RunFaults> {
  const [faults] = await ctx.db.query<[RunFaults]>(statement, [lateMs, latest]);
  return faults;
}
