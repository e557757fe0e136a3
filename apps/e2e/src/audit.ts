import type { LedgerFault } from '@lensforge/credits';
import type { EntityManager } from 'typeorm';

/** Violated invariants in the database; all must be 0 after every fault. */
export interface Findings {
  unended: number;
  /** Runs whose events are not 1, 2, 3 … up to the last one. */
  withGaps: number;
  /** Runs without exactly one terminal event that is the last one and agrees with their status. */
  badlyEnded: number;
  /** Succeeded runs without exactly one primary artifact, and others with one. */
  badArtifacts: number;
  /** Runs with a hold that was not charged or returned exactly once; `+` is the part that was added to it. */
  badlyCharged: number;
  /** Outbox rows of runs that are not published. */
  openOutbox: number;
  ledgerFaults: LedgerFault[];
}

export const nothingFound: Findings = {
  unended: 0,
  withGaps: 0,
  badlyEnded: 0,
  badArtifacts: 0,
  badlyCharged: 0,
  openOutbox: 0,
  ledgerFaults: [],
};

const statement = `
with events_of as (
  select run_id, count(*) as events, min(sequence) as first, max(sequence) as last,
         count(*) filter (where type in ('run.succeeded', 'run.failed', 'run.canceled', 'run.timed_out')) as ends,
         (array_agg(type order by sequence desc))[1] as last_type
    from run_events group by run_id
), artifacts_of as (
  select run_id, count(*) filter (where is_primary_output) as primaries from run_artifacts group by run_id
), entries_of as (
  select run_id, count(*) filter (where kind = 'hold' and part <> '+') as holds,
         count(*) filter (where kind = 'capture' and part <> '+') as captures,
         sum(case kind when 'hold' then amount else -amount end) as remaining
    from credit_entries where run_id is not null group by run_id
)
select count(*) filter (where r.completed_at is null)::int as "unended",
       count(*) filter (where t.run_id is null or t.first <> 1 or t.last <> t.events or t.last <> r.last_sequence)::int as "withGaps",
       count(*) filter (where r.completed_at is not null and (t.ends <> 1 or t.last_type <> 'run.' || r.status))::int as "badlyEnded",
       count(*) filter (where (r.status = 'succeeded') <> (coalesce(k.primaries, 0) = 1))::int as "badArtifacts",
       count(*) filter (where r.credit_hold > 0 and r.completed_at is not null and
         (m.holds <> 1 or m.remaining <> 0 or m.captures <> case when r.credit_cost > 0 then 1 else 0 end
          or (r.status <> 'succeeded' and r.status <> 'failed' and m.captures > 0)))::int as "badlyCharged",
       (select count(*)::int from outbox where job like 'run.%') as "openOutbox"
  from runs r left join events_of t on t.run_id = r.id left join artifacts_of k on k.run_id = r.id left join entries_of m on m.run_id = r.id`;

export async function audit(db: EntityManager): Promise<Omit<Findings, 'ledgerFaults'>> {
  const [findings] = await db.query<Omit<Findings, 'ledgerFaults'>[]>(statement);
  if (!findings) throw new Error('the audit returned no findings');
  return findings;
}
