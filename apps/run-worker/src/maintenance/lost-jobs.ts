import { type QueueName, jobs } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { type JobState, isReady, jobStates, queueDepths, stalledJobs } from '@lensforge/queue';
import { type QueuedRun, countQueuedRuns, queuedRuns, restoreJobs } from '@lensforge/runs';

export interface LostJobsParts {
  ctx: Context;
  /** Opened with the role `producer`. */
  redis: Parameters<typeof isReady>[0];
  prefix: string;
  /** Monotonic. */
  now: () => number;
}

const page = 500;
const maxPages = 4;
/** A job may take this long from the outbox to Redis. */
const olderThanMs = 3000;
/** How often taken jobs are checked, and how often all jobs are, even when none seems to be missing. */
const checkEveryMs = { taken: 2000, all: 15_000 };

const queues = [jobs.executeRun.queue, jobs.executeIsolatedRun.queue];
/** A live worker claims the run of a job within this time; an isolated run needs a new process first. */
const unclaimedMs = (queue: QueueName): number => (queue === jobs.executeIsolatedRun.queue ? 10_000 : 5000);

/** Finds queued runs whose job is gone from Redis or was taken by a dead worker, and gives them a new job. */
export class LostJobs {
  private after: string | null = null;
  /** A new process checks at once: earlier processes may have died before they could. */
  private readonly checkedAt = { taken: -Infinity, all: -Infinity };

  constructor(private readonly parts: LostJobsParts) {}

  /** Returns the number of restored jobs; 0 while Redis is away. */
  async restore(): Promise<number> {
    if (!isReady(this.parts.redis)) return 0;
    return (await this.restoreUnclaimed()) + (await this.restoreVanished());
  }

  /** Restores jobs that were taken a while ago and whose runs no worker has claimed. */
  private async restoreUnclaimed(): Promise<number> {
    const { ctx, now } = this.parts;
    if (now() - this.checkedAt.taken < checkEveryMs.taken) return 0;
    this.checkedAt.taken = now();
    const late = await Promise.all(
      queues.map((queue) => stalledJobs(this.parts, queue, { quietMs: unclaimedMs(queue) })),
    );
    const runs = late.flat().flatMap((jobId) => parseJobId(jobId));
    return runs.length > 0 ? restoreJobs(ctx, runs) : 0;
  }

  private async restoreVanished(): Promise<number> {
    const { ctx, now } = this.parts;
    const missing = await this.countMissing();
    const isDue = now() - this.checkedAt.all >= checkEveryMs.all;
    if (missing <= 0 && !isDue) return 0;
    this.checkedAt.all = now();
    let restored = 0;
    for (let pages = 0; pages < (missing > 0 ? maxPages : 1); pages += 1) {
      const runs = await queuedRuns(ctx, { after: this.after, olderThanMs, limit: page });
      const lost = await this.vanished(runs);
      if (lost.length > 0) restored += await restoreJobs(ctx, lost);
      this.after = runs.length < page ? null : (runs.at(-1)?.id ?? null);
      if (this.after === null) break;
    }
    return restored;
  }

  /** Compares queued runs with jobs. Younger jobs may hide missing ones, so this is not the only check. */
  private async countMissing(): Promise<number> {
    const { ctx, redis, prefix } = this.parts;
    const [queued, depths] = await Promise.all([
      countQueuedRuns(ctx, { olderThanMs }),
      queueDepths({ redis, prefix, queues }),
    ]);
    return depths.reduce((missing, { waiting, delayed }) => missing - waiting - delayed, queued);
  }

  private async vanished(runs: readonly QueuedRun[]): Promise<QueuedRun[]> {
    const known = await Promise.all(
      queues.map(async (queue) => {
        const ids = runs.filter((run) => pickQueue(run) === queue).map(({ jobId }) => jobId);
        return ids.length > 0 ? await jobStates(this.parts, queue, ids) : new Map<string, JobState>();
      }),
    );
    const findState = (jobId: string) => known.map((states) => states.get(jobId)?.state).find(Boolean);
    return runs.filter(({ jobId }) => !['open', 'active'].includes(findState(jobId) ?? 'unknown'));
  }
}

const pickQueue = ({ isolated }: QueuedRun) => (isolated ? jobs.executeIsolatedRun.queue : jobs.executeRun.queue);

function parseJobId(jobId: string): { id: string; generation: number }[] {
  const [, id, generation] = /^([0-9a-f-]{36})-g(\d+)$/.exec(jobId) ?? [];
  return id === undefined ? [] : [{ id, generation: Number(generation) }];
}
