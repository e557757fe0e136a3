import type { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis, type RateLimiterRes } from 'rate-limiter-flexible';
import type { Logger } from '../observability/logging.js';
import type { Metrics } from '../observability/metrics.js';
import { withRedisTimeout } from './redis-timeout.js';

const retryAfterMs = 1000;
const maxExhausted = 10_000;

/** Windows end this much earlier than the headers say, so that a caller who waits exactly that long gets a new one. */
const marginMs = 50;

/** Counts the points if all of them fit into the rest of the window, and otherwise none. */
const countIfAllFit = `
local used = tonumber(redis.call('get', KEYS[1]) or '0')
local ttl = redis.call('pttl', KEYS[1])
local isNew = ttl < 0
if isNew then
  used = 0
  ttl = ARGV[2] * 1000 - ${marginMs}
end
local wanted = used + ARGV[1]
if wanted <= tonumber(ARGV[3]) then
  if isNew then redis.call('set', KEYS[1], ARGV[1], 'PX', ttl) else redis.call('incrby', KEYS[1], ARGV[1]) end
end
return {wanted, ttl}`;

export interface RateLimitOptions {
  redis: Redis;
  prefix: string;
  /** Requests per window, by class. */
  perMinute: Readonly<Record<string, number>>;
  windowSeconds?: number;
  /** The number of processes; without Redis each grants its share of the limit. */
  replicas: number;
  metrics: Metrics;
  logger: Logger;
}

/** The state of a limit after a request was counted. */
export interface Allowance {
  allowed: boolean;
  limit: number;
  remaining: number;
  resetSeconds: number;
}

interface Limiter {
  sharedLimiter: RateLimiterRedis;
  localLimiter: RateLimiterMemory;
  limit: number;
  /** Requests of this iteration of the event loop, by subject. */
  pending: Map<string, Resolve[]>;
  /** Subjects that have used up their limit. */
  exhausted: Map<string, Exhausted>;
}

/** The earliest and latest end of a window, by the clock of this process. */
interface Exhausted {
  earliest: number;
  latest: number;
}

/** Receives undefined when Redis is unavailable. */
type Resolve = (allowance: Allowance | undefined) => void;

/**
 * Counts requests per subject (an account, a credential, a network): in Redis for all replicas together, or in this
 * process while Redis is unavailable or slow.
 */
export class RateLimits {
  private readonly limiters: ReadonlyMap<string, Limiter>;
  private localUntil = 0;

  constructor(private readonly options: RateLimitOptions) {
    const { redis, prefix, perMinute, replicas, windowSeconds = 60 } = options;
    this.limiters = new Map(
      Object.entries(perMinute).map(([rateClass, limit]) => {
        const keyPrefix = `${prefix}:rate:${rateClass}`;
        const sharedLimiter = new RateLimiterRedis({
          keyPrefix,
          points: limit,
          duration: windowSeconds,
          storeClient: redis,
          rejectIfRedisNotReady: true,
          customIncrTtlLuaScript: countIfAllFit,
        });
        const localLimiter = new RateLimiterMemory({
          keyPrefix,
          points: Math.max(1, Math.floor(limit / replicas)),
          duration: windowSeconds - marginMs / 1000,
        });
        return [rateClass, { sharedLimiter, localLimiter, limit, pending: new Map(), exhausted: new Map() }];
      }),
    );
  }

  /** Counts a request. One that costs more than is left is refused and not counted, so that smaller ones still fit. */
  async take(rateClass: string, subject: string, cost = 1): Promise<Allowance> {
    const limiter = this.limiters.get(rateClass);
    if (!limiter) throw new Error(`The rate class ${rateClass} has no limit`);
    const shared = await (cost === 1
      ? this.takeOne(rateClass, limiter, subject)
      : this.takeShared(rateClass, limiter, subject, cost));
    if (!shared) this.options.metrics.rateLimitedLocally.inc({ class: rateClass });
    const allowance = shared ?? (await takeLocally(limiter, subject, cost));
    if (!allowance.allowed) this.options.metrics.rateLimited.inc({ class: rateClass });
    return allowance;
  }

  /** Counts one request; returns the limit and the seconds to wait when it is refused. */
  async tryCount(rateClass: string, subject: string): Promise<{ limit: number; retryAfter: number } | undefined> {
    const { allowed, limit, resetSeconds } = await this.take(rateClass, subject);
    return allowed ? undefined : { limit, retryAfter: resetSeconds };
  }

  /** Counts concurrent requests of one subject in one call to Redis. */
  private takeOne(rateClass: string, limiter: Limiter, subject: string): Promise<Allowance | undefined> {
    return new Promise((resolve) => {
      const waiting = limiter.pending.get(subject);
      if (waiting) {
        waiting.push(resolve);
        return;
      }
      const resolvers: Resolve[] = [resolve];
      limiter.pending.set(subject, resolvers);
      setImmediate(() => {
        limiter.pending.delete(subject);
        void this.settleAll(rateClass, limiter, subject, resolvers);
      });
    });
  }

  private async settleAll(
    rateClass: string,
    limiter: Limiter,
    subject: string,
    resolvers: readonly Resolve[],
  ): Promise<void> {
    const all = await this.takeShared(rateClass, limiter, subject, resolvers.length);
    if (!all || all.allowed || resolvers.length === 1) {
      resolvers.forEach((resolve, at) =>
        resolve(all && { ...all, remaining: all.remaining + resolvers.length - 1 - at }),
      );
      return;
    }
    // Not all of them fit: count them one by one, so that the first ones get what is left.
    for (const resolve of resolvers) resolve(await this.takeShared(rateClass, limiter, subject, 1));
  }

  private async takeShared(
    rateClass: string,
    limiter: Limiter,
    subject: string,
    cost: number,
  ): Promise<Allowance | undefined> {
    const known = refusedBefore(limiter, subject);
    if (known) return known;
    if (!this.mayAskRedis()) return undefined;
    try {
      const allowance = await withRedisTimeout(takeFromRedis(limiter, subject, cost));
      // The local limiter counts it too, so that it continues from there when Redis fails within the window.
      if (allowance.allowed) void limiter.localLimiter.penalty(subject, cost);
      this.localUntil = 0;
      return allowance;
    } catch (err) {
      const isReported = this.localUntil > 0;
      this.localUntil = Date.now() + retryAfterMs;
      if (!isReported)
        this.options.logger.warn(
          { err, class: rateClass },
          'Redis is unavailable: this process counts rate limits alone',
        );
      return undefined;
    }
  }

  /** After a failure, one request per second tries Redis again. */
  private mayAskRedis(): boolean {
    if (this.localUntil === 0) return true;
    if (Date.now() < this.localUntil) return false;
    this.localUntil = Date.now() + retryAfterMs;
    return true;
  }
}

/** Refuses a subject that has used up its limit without a call to Redis, until its window may have ended. */
function refusedBefore({ exhausted, limit }: Limiter, subject: string): Allowance | undefined {
  const window = exhausted.get(subject);
  if (!window) return undefined;
  const now = performance.now();
  if (now < window.earliest) return refused(limit, limit, window.latest - now);
  exhausted.delete(subject);
  return undefined;
}

async function takeFromRedis(limiter: Limiter, subject: string, cost: number): Promise<Allowance> {
  const { sharedLimiter, limit, exhausted } = limiter;
  const sentAt = performance.now();
  try {
    return granted(limit, await sharedLimiter.consume(subject, cost));
  } catch (outcome) {
    if (outcome instanceof Error) throw outcome;
    const { consumedPoints, msBeforeNext } = outcome as RateLimiterRes;
    const used = consumedPoints - cost;
    if (used >= limit) {
      if (exhausted.size >= maxExhausted) exhausted.clear();
      exhausted.set(subject, { earliest: sentAt + msBeforeNext, latest: performance.now() + msBeforeNext });
    }
    return refused(limit, used, msBeforeNext);
  }
}

async function takeLocally({ localLimiter, limit }: Limiter, subject: string, cost: number): Promise<Allowance> {
  try {
    return granted(limit, await localLimiter.consume(subject, cost));
  } catch (outcome) {
    if (outcome instanceof Error) throw outcome;
    const { msBeforeNext } = outcome as RateLimiterRes;
    const { consumedPoints: used } = await localLimiter.reward(subject, cost);
    return { ...refused(limit, used, msBeforeNext), remaining: Math.max(0, localLimiter.points - used) };
  }
}

const granted = (limit: number, { remainingPoints, msBeforeNext }: RateLimiterRes): Allowance => ({
  allowed: true,
  limit,
  remaining: remainingPoints,
  resetSeconds: secondsUntil(msBeforeNext),
});

const refused = (limit: number, used: number, msBeforeNext: number): Allowance => ({
  allowed: false,
  limit,
  remaining: Math.max(0, limit - used),
  resetSeconds: secondsUntil(msBeforeNext),
});

const secondsUntil = (ms: number): number => Math.max(1, Math.ceil((ms + marginMs) / 1000));
