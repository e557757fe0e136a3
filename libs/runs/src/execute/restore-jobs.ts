import { jobs } from '@lensforge/contracts';
import { type Context, newId } from '@lensforge/core';
import { isolationThreshold } from './requeue-run.js';

export interface QueuedRun {
  id: string;
  generation: number;
  jobId: string;
  isolated: boolean;
}

/** Returns a page of admitted runs, by id, that should have a job by now. */
export async function queuedRuns(
  ctx: Context,
  { after, olderThanMs, limit }: { after: string | null; olderThanMs: number; limit: number },
): Promise<QueuedRun[]> {
  return await ctx.db.query<QueuedRun[]>(
    `select id, generation, id || '-g' || generation as "jobId", lost_attempts >= ${isolationThreshold} as isolated
       from runs
      where status = 'queued' and admitted_at is not null and ($1::uuid is null or id > $1)
        and queued_at < now() - $2 * interval '1 ms'
      order by id limit $3`,
    [after, olderThanMs, limit],
  );
}

/** Counts the admitted runs that should have a job by now. */
export async function countQueuedRuns(ctx: Context, { olderThanMs }: { olderThanMs: number }): Promise<number> {
  const [{ count }] = await ctx.db.query<[{ count: number }]>(
    `select count(*)::int as count from runs
      where status = 'queued' and admitted_at is not null and queued_at < now() - $1 * interval '1 ms'`,
    [olderThanMs],
  );
  return count;
}

/** Gives queued runs whose job was lost a new one under a new generation; returns the number of runs that still needed it. */
export async function restoreJobs(
  ctx: Context,
  lost: readonly Pick<QueuedRun, 'id' | 'generation'>[],
): Promise<number> {
  const [restored] = await ctx.db.query<[{ count: number }]>(
    `with input as (
       select * from jsonb_to_recordset($1::jsonb) as x("id" uuid, "generation" int, "outboxId" uuid)
     ), moved as (
       update runs r set generation = r.generation + 1
         from input i where r.id = any ($4) and r.id = i."id" and r.generation = i."generation" and r.status = 'queued'
          and r.admitted_at is not null and not exists (select 1 from outbox o where o.job_id = r.id || '-g' || r.generation)
       returning r.id, r.generation, r.lost_attempts, r.request_id, r.traceparent
     ), new_jobs as (
       insert into outbox (id, job, job_id, payload, request_id, traceparent)
       select i."outboxId", case when m.lost_attempts >= ${isolationThreshold} then $3 else $2 end, m.id || '-g' || m.generation,
              jsonb_build_object('runId', m.id, 'generation', m.generation), m.request_id, m.traceparent
         from moved m join input i on i."id" = m.id and i."generation" + 1 = m.generation
     )
     select count(*)::int as count from moved`,
    [
      JSON.stringify(lost.map(({ id, generation }) => ({ id, generation, outboxId: newId() }))),
      jobs.executeRun.name,
      jobs.executeIsolatedRun.name,
      lost.map(({ id }) => id),
    ],
  );
  return restored.count;
}
