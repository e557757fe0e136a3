import type { Redis } from 'ioredis';
import type { RateLimiterRes } from 'rate-limiter-flexible';
import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';
import type { Logger } from './logging.js';
import type { Metrics } from './metrics.js';
import { HttpFault } from './rest-errors.js';

const patienceMs = 250;
const pauseMs = 1000;

export interface RateLimitOptions {
  redis: Redis;
  prefix: string;
  /** Requests a window, which is a minute, by class. */
  perMinute: Readonly<Record<string, number>>;
  windowSeconds?: number;
  /** Without Redis each of so many processes grants its share. */
  replicas: number;
  metrics: Metrics;
  logger: Logger;
}

/** What is left of a limit after this request was counted. */
export interface Allowance {
  allowed: boolean;
  limit: number;
  remaining: number;
  resetSeconds: number;
}

interface Limiter {
  together: RateLimiterRedis;
  /** The same count, for those who take many at once: it does not remember who has had enough. */
  many: RateLimiterRedis;
  alone: RateLimiterMemory;
  limit: number;
  /** Those who asked in this turn of the event loop, by account. */
  asking: Map<string, Answer[]>;
}

/** undefined: Redis could not be asked. */
type Answer = (allowance: Allowance | undefined) => void;

/** Counts requests per account over all replicas in Redis, or in this process alone while Redis is away or slow. */
export class RateLimits {
  private readonly limiters: ReadonlyMap<string, Limiter>;
  private aloneUntil = 0;

  constructor(private readonly options: RateLimitOptions) {
    const { redis, prefix, perMinute, replicas, windowSeconds: duration = 60 } = options;
    this.limiters = new Map(
      Object.entries(perMinute).map(([kind, points]) => {
        const shape = { keyPrefix: `${prefix}:rate:${kind}`, duration };
        const inRedis = { ...shape, storeClient: redis, points, rejectIfRedisNotReady: true };
        const together = new RateLimiterRedis({ ...inRedis, inMemoryBlockOnConsumed: points + 1 });
        const many = new RateLimiterRedis(inRedis);
        const alone = new RateLimiterMemory({ ...shape, points: Math.max(1, Math.floor(points / replicas)) });
        return [kind, { together, many, alone, limit: points, asking: new Map() }];
      }),
    );
  }

  /** What costs more than is left costs nothing: smaller requests can still be made. */
  async take(kind: string, account: string, cost = 1): Promise<Allowance> {
    const limiter = this.limiters.get(kind);
    if (!limiter) throw new Error(`no limit was set for the rate class ${kind}`);
    const together = await (cost === 1
      ? this.takeOne(kind, limiter, account)
      : this.takeTogether(kind, limiter, account, cost));
    if (!together) this.options.metrics.limitedAlone.inc({ class: kind });
    const allowance = together ?? (await takeFrom(limiter.alone, limiter, account, cost));
    if (!allowance.allowed) this.options.metrics.limited.inc({ class: kind });
    return allowance;
  }

  /** What one account asks for at the same moment is one count in Redis. */
  private takeOne(kind: string, limiter: Limiter, account: string): Promise<Allowance | undefined> {
    return new Promise((resolve) => {
      const present = limiter.asking.get(account);
      if (present) {
        present.push(resolve);
        return;
      }
      const answers: Answer[] = [resolve];
      limiter.asking.set(account, answers);
      setImmediate(() => {
        limiter.asking.delete(account);
        void this.answerAll(kind, limiter, account, answers);
      });
    });
  }

  private async answerAll(kind: string, limiter: Limiter, account: string, answers: readonly Answer[]): Promise<void> {
    const all = await this.takeTogether(kind, limiter, account, answers.length);
    if (!all || all.allowed || answers.length === 1) {
      answers.forEach((answer, at) => answer(all && { ...all, remaining: all.remaining + answers.length - 1 - at }));
      return;
    }
    // Too many for what is left, which is for the first of them.
    for (const answer of answers) answer(await this.takeTogether(kind, limiter, account, 1));
  }

  private async takeTogether(
    kind: string,
    limiter: Limiter,
    account: string,
    cost: number,
  ): Promise<Allowance | undefined> {
    if (this.mayAskRedis()) {
      try {
        const allowance = await inTime(takeFrom(cost > 1 ? limiter.many : limiter.together, limiter, account, cost));
        // Counted here as well: an outage in mid-window continues from what this process has granted already.
        if (allowance.allowed) void limiter.alone.penalty(account, cost);
        this.aloneUntil = 0;
        return allowance;
      } catch (err) {
        const known = this.aloneUntil > 0;
        this.aloneUntil = Date.now() + pauseMs;
        if (!known) this.options.logger.warn({ err, class: kind }, 'rate limits are counted by this process alone');
      }
    }
    return undefined;
  }

  /** After a failure one request a second tries again for all others. */
  private mayAskRedis(): boolean {
    if (this.aloneUntil === 0) return true;
    if (Date.now() < this.aloneUntil) return false;
    this.aloneUntil = Date.now() + pauseMs;
    return true;
  }
}

async function takeFrom(
  limiter: RateLimiterRedis | RateLimiterMemory,
  { limit }: Limiter,
  account: string,
  cost: number,
): Promise<Allowance> {
  try {
    return allowanceOf(true, limit, await limiter.consume(account, cost));
  } catch (outcome) {
    if (outcome instanceof Error) throw outcome;
    const refused = allowanceOf(false, limit, outcome as RateLimiterRes);
    if (cost === 1) return refused;
    const { consumedPoints } = await limiter.reward(account, cost);
    return { ...refused, remaining: Math.max(0, limit - consumedPoints) };
  }
}

// A little more than is left of the window: who waits exactly as long as told must find the door open.
const allowanceOf = (
  allowed: boolean,
  limit: number,
  { remainingPoints, msBeforeNext }: RateLimiterRes,
): Allowance => ({
  allowed,
  limit,
  remaining: allowed ? remainingPoints : 0,
  resetSeconds: Math.max(1, Math.ceil((msBeforeNext + 25) / 1000)),
});

const mostExtensions = 5;

/** Redis is slow only when this process is not: a timer that comes late itself proves nothing and is set again. */
function inTime<T>(work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout;
    const arm = (extensions: number): void => {
      const armedAt = performance.now();
      timer = setTimeout(() => {
        const late = performance.now() - armedAt > patienceMs * 1.2;
        if (late && extensions < mostExtensions) arm(extensions + 1);
        // One more turn of the event loop: the answer may lie in the socket already.
        else setImmediate(() => reject(new Error(`Redis did not answer within ${patienceMs} ms`)));
      }, patienceMs);
    };
    arm(0);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

export const rateLimitHeaders = ({ limit, remaining, resetSeconds }: Allowance): Record<string, string> => ({
  'ratelimit-limit': String(limit),
  'ratelimit-remaining': String(remaining),
  'ratelimit-reset': String(resetSeconds),
});

export const tooManyAtOnce = (cost: number, { limit, remaining, resetSeconds }: Allowance): HttpFault =>
  new HttpFault(
    429,
    'rate_limited',
    `This counts as ${cost} requests, and ${remaining} of ${limit} a minute are left; ` +
      (cost > limit ? `send at most ${limit} at once` : `try again in ${resetSeconds} s`),
    { 'retry-after': String(resetSeconds) },
    { limit, retryAfter: resetSeconds },
  );

export const tooMany = ({ limit, resetSeconds }: Allowance): HttpFault =>
  new HttpFault(
    429,
    'rate_limited',
    `More than ${limit} requests in a minute; try again in ${resetSeconds} s`,
    { 'retry-after': String(resetSeconds) },
    { limit, retryAfter: resetSeconds },
  );
