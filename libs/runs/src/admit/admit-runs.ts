import { jobs } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import type { AdmissionTarget, OutboxRow } from '@lensforge/database';
import { inTransaction, outboxClaimMs, preparedStatement, recordRunChanges, withDbRetry } from '@lensforge/database';
import { passClaims } from './concurrency-keys.js';
import { runLimitsOf } from '../accept/batching/acceptance.js';

const waitsForSlot = `r.status = 'queued' and r.admitted_at is null and r.waits_for = 'slot'`;

const statement = preparedStatement(`
with load as materialized (
  select a.id, (select count(*) from (select 1 from runs r where r.account_id = a.id
                   and r.status in ('queued', 'running') and r.admitted_at is not null limit $2) as found) as in_flight
    from unnest($1::uuid[]) as a(id)
), next as materialized (
  select r.id, l.in_flight + row_number() over (partition by l.id order by r.order_at, r.id) as rank
    from load l cross join lateral (
      select r.id, r.order_at from runs r where r.account_id = l.id and ${waitsForSlot}
       order by r.order_at, r.id limit greatest($2 - l.in_flight, 0) for update skip locked) r
), admitted as (
  update runs r set admitted_at = now(), queued_at = now(), waits_for = null from next n
   where r.id = any (array(select id from next)) and r.id = n.id
  returning r.id, r.generation, r.request_id, r.traceparent, n.rank
)
insert into outbox (id, job, job_id, payload, claimed_until, request_id, traceparent, priority)
select gen_random_uuid(), '${jobs.executeRun.name}', id || '-g' || generation,
       jsonb_build_object('runId', id, 'generation', generation), now() + $3 * interval '1 ms', request_id, traceparent,
       nullif(rank - 1, 0)::int
  from admitted order by rank, id
returning id, job, job_id as "jobId", payload, request_id as "requestId", traceparent, available_at as "availableAt",
          priority`);

const accountsWithWaiting = preparedStatement(`
select a.id from unnest((select $1::uuid[])) as a(id)
 where (select true from runs r where r.account_id = a.id and ${waitsForSlot} limit 1) order by a.id`);

/**
 * Admits waiting runs of accounts that have free slots; to be called when runs have ended. The longest-waiting run comes
 * first; each point of priority counts as a minute. An advisory lock per account prevents two processes from assigning
 * the same slot.
 */
export async function admitRuns(ctx: Context, accountIds: readonly string[]): Promise<void> {
  const waiting = await withWaitingRuns(ctx, accountIds);
  if (waiting.length === 0) return;
  await inTransaction(ctx, async (ctx) => {
    await ctx.db.query(
      `select pg_advisory_xact_lock(hashtextextended('admission ' || id, 0)) from unnest($1::text[]) as id`,
      [waiting],
    );
    const { atOnce } = runLimitsOf(ctx);
    const jobs = await ctx.db.query<OutboxRow[]>(statement, [waiting, atOnce, outboxClaimMs(ctx)]);
    recordRunChanges(ctx, { jobs });
  });
}

/** Admits waiting runs of accounts, and those of keys that are free. */
export async function admitWaiting(ctx: Context, targets: readonly AdmissionTarget[]): Promise<void> {
  const keys = targets.flatMap(({ accountId, concurrencyKey: key }) => (key === null ? [] : [{ accountId, key }]));
  await withDbRetry(() => passClaims(ctx, keys));
  await admitRuns(
    ctx,
    targets.map(({ accountId }) => accountId),
  );
}

async function withWaitingRuns(ctx: Context, accountIds: readonly string[]): Promise<string[]> {
  const ids = [...new Set(accountIds)].sort();
  if (ids.length === 0) return [];
  const rows = await withDbRetry(() => ctx.db.query<{ id: string }[]>(accountsWithWaiting, [ids]));
  return rows.map(({ id }) => id);
}
