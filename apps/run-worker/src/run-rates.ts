import { type Platform, RateLimits } from '@lensforge/edge';
import type { CountRun } from '@lensforge/runs';
import type { RunWorkerEnvironment } from './environment.js';

/** The share of each rate class that operations may use; the rest is for requests of the account. */
const shareOfOperations = 0.75;

/** Counts runs of operations in the same rate classes as runs of requests. */
export class RunRates {
  private readonly limits: RateLimits;

  constructor({ redis, environment, metrics, logger }: Platform<RunWorkerEnvironment>) {
    const { execute, run } = environment.ratesPerMinute;
    this.limits = new RateLimits({
      redis,
      metrics,
      logger,
      prefix: environment.REDIS_PREFIX,
      replicas: 1,
      perMinute: { execute: toShare(execute), run: toShare(run) },
    });
  }

  readonly count: CountRun = (accountId, rate) => this.limits.tryCount(rate, accountId);
}

const toShare = (limit: number): number => Math.max(1, Math.floor(limit * shareOfOperations));
