import { jobs } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { outboxLag } from '@lensforge/database';
import { jobStates, queueDepths } from '@lensforge/queue';
import { type QueuedRun, queuedRuns } from '@lensforge/runs';
import { type Finding, fault, ok, warning } from './finding.js';

type Redis = Parameters<typeof queueDepths>[0]['redis'];

const limits = { jobAgeMs: 10_000, page: 500, pages: 20, waitSeconds: 60, outboxSeconds: 30 };

/** Compares the queued runs of the database with the jobs in Redis. */
export async function checkQueue(ctx: Context, redis: Redis, prefix: string): Promise<Finding[]> {
  const [{ oldestSeconds, open }, depths, { compared, missing }] = await Promise.all([
    outboxLag(ctx.db),
    queueDepths({ redis, prefix }),
    compareRuns(ctx, redis, prefix),
  ]);
  const late = depths.filter(({ oldestWaitingSeconds }) => oldestWaitingSeconds > limits.waitSeconds);
  const failed = depths.filter(({ failed }) => failed > 0);
  return [
    missing > 0
      ? fault(
          'queue',
          `${missing} of ${compared} queued runs have no job in Redis: run "lensforge-operate rebuild-queue"`,
        )
      : ok('queue', `${compared} queued runs have their jobs`),
    ...late.map(({ queue, waiting, oldestWaitingSeconds: seconds }) =>
      warning(
        `queue ${queue}`,
        `${waiting} jobs wait, the oldest for ${Math.floor(seconds)} s: check that its workers run, and add some`,
      ),
    ),
    ...failed.map(({ queue, failed }) =>
      warning(`queue ${queue}`, `${failed} jobs failed: search the log of its service for "job failed"`),
    ),
    oldestSeconds > limits.outboxSeconds
      ? fault(
          'outbox',
          `${open} rows are due, the oldest for ${Math.floor(oldestSeconds)} s: check that services run and reach Redis`,
        )
      : ok('outbox', `${open} rows are due`),
  ];
}

async function compareRuns(ctx: Context, redis: Redis, prefix: string): Promise<{ compared: number; missing: number }> {
  let after: string | null = null;
  let [compared, missing] = [0, 0];
  for (let page = 0; page < limits.pages; page += 1) {
    const runs: QueuedRun[] = await queuedRuns(ctx, { after, olderThanMs: limits.jobAgeMs, limit: limits.page });
    compared += runs.length;
    missing += await countMissing(ctx, { redis, prefix }, runs);
    if (runs.length < limits.page) break;
    after = runs.at(-1)?.id ?? null;
  }
  return { compared, missing };
}

async function countMissing(
  ctx: Context,
  where: { redis: Redis; prefix: string },
  runs: readonly QueuedRun[],
): Promise<number> {
  const without: string[] = [];
  for (const isolated of [false, true]) {
    const ids = runs.filter((run) => run.isolated === isolated).map(({ jobId }) => jobId);
    const { queue } = isolated ? jobs.executeIsolatedRun : jobs.executeRun;
    const known = await jobStates(where, queue, ids);
    without.push(...ids.filter((id) => !known.has(id)));
  }
  if (without.length === 0) return 0;
  // A job that is still in the outbox is late and not lost; a run that has started since needs none.
  const [{ count }] = await ctx.db.query<[{ count: number }]>(
    `select count(*)::int as count from runs r
      where r.id || '-g' || r.generation = any ($1) and r.id = any ($2) and r.status = 'queued'
        and not exists (select from outbox o where o.job_id = r.id || '-g' || r.generation)`,
    [without, runs.map(({ id }) => id)],
  );
  return count;
}
