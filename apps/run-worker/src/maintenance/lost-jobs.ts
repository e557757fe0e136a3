import type { QueueName } from '@lensforge/contracts';
import { jobs } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import type { JobState } from '@lensforge/queue';
import { isReady, jobStates, queueDepths, stalledJobs } from '@lensforge/queue';
import type { QueuedRun } from '@lensforge/runs';
import { countOpenRuns, queuedRuns, restoreJobs } from '@lensforge/runs';

export interface LostJobsParts {
  ctx: Context;
  /** Opened with the role `producer`. */
  redis: Parameters<typeof isReady>[0];
  prefix: string;
  /** Monotonic. */
  now: () => number;
}

const page = 500;
const mostPages = 4;
/** The way of a job from the outbox to Redis may take this long. */
const olderThanMs = 3000;
/** How often jobs are looked at that were taken a while ago, and all jobs, even when none seems to be missing. */
const lookMs = { taken: 2000, all: 15_000 };

const lanes = [jobs.executeRun.queue, jobs.executeIsolatedRun.queue];
/** A worker that took a job claims its run at once, or as soon as it has started a process for it; else it is dead or cannot. */
const unclaimedMs = (lane: QueueName): number => (lane === jobs.executeIsolatedRun.queue ? 10_000 : 5000);

/** Finds queued runs whose job is gone from Redis, or lies in dead hands, and gives them a new one. */
export class LostJobs {
  private after: string | null = null;
  /** A process that starts looks at once: those before it may not have lived long enough to. */
  private readonly lookedAt = { taken: -Infinity, all: -Infinity };

  constructor(private readonly parts: LostJobsParts) {}

  /** Returns how many were restored. While Redis is away nothing is lost that could be restored now. */
  async restore(): Promise<number> {
    if (!isReady(this.parts.redis)) return 0;
    return (await this.restoreUnclaimed()) + (await this.restoreVanished());
  }

  /** Jobs that were taken a while ago and whose runs nobody has claimed. */
  private async restoreUnclaimed(): Promise<number> {
    const { ctx, now } = this.parts;
    if (now() - this.lookedAt.taken < lookMs.taken) return 0;
    this.lookedAt.taken = now();
    const late = await Promise.all(lanes.map((lane) => stalledJobs(this.parts, lane, { quietMs: unclaimedMs(lane) })));
    const runs = late.flat().flatMap((jobId) => runOf(jobId));
    return runs.length > 0 ? restoreJobs(ctx, runs) : 0;
  }

  private async restoreVanished(): Promise<number> {
    const { ctx, now } = this.parts;
    const missing = await this.countMissing();
    const lookAnyway = now() - this.lookedAt.all >= lookMs.all;
    if (missing <= 0 && !lookAnyway) return 0;
    this.lookedAt.all = now();
    let restored = 0;
    for (let pages = 0; pages < (missing > 0 ? mostPages : 1); pages += 1) {
      const runs = await queuedRuns(ctx, { after: this.after, olderThanMs, limit: page });
      const lost = await this.vanished(runs);
      if (lost.length > 0) restored += await restoreJobs(ctx, lost);
      this.after = runs.length < page ? null : (runs.at(-1)?.id ?? null);
      if (this.after === null) break;
    }
    return restored;
  }

  /** How many more jobs there should be than there are. Jobs that come to nothing may hide some: so look now and then. */
  private async countMissing(): Promise<number> {
    const { ctx, redis, prefix } = this.parts;
    const [{ queued, running, unsent }, depths] = await Promise.all([
      countOpenRuns(ctx),
      queueDepths({ redis, prefix, queues: lanes }),
    ]);
    const there = depths.reduce((sum, { waiting, delayed, active }) => sum + waiting + delayed + active, unsent);
    return queued === 0 ? 0 : queued + running - there;
  }

  private async vanished(runs: readonly QueuedRun[]): Promise<QueuedRun[]> {
    const known = await Promise.all(
      lanes.map(async (lane) => {
        const ids = runs.filter((run) => laneOf(run) === lane).map(({ jobId }) => jobId);
        return ids.length > 0 ? await jobStates(this.parts, lane, ids) : new Map<string, JobState>();
      }),
    );
    const stateOf = (jobId: string) => known.map((jobs) => jobs.get(jobId)?.state).find(Boolean);
    return runs.filter(({ jobId }) => !['open', 'active'].includes(stateOf(jobId) ?? 'unknown'));
  }
}

const laneOf = ({ isolated }: QueuedRun) => (isolated ? jobs.executeIsolatedRun.queue : jobs.executeRun.queue);

function runOf(jobId: string): { id: string; generation: number }[] {
  const [, id, generation] = /^([0-9a-f-]{36})-g(\d+)$/.exec(jobId) ?? [];
  return id === undefined ? [] : [{ id, generation: Number(generation) }];
}
