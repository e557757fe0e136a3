import type { Redis } from 'ioredis';
import type { RateLimiterRes } from 'rate-limiter-flexible';
import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';
import type { Logger } from '../observability/logging.js';
import type { Metrics } from '../observability/metrics.js';
import { HttpFault } from '../rest/rest-errors.js';

const patienceMs = 250;
const pauseMs = 1000;
const mostRemembered = 10_000;

/** A window ends by so much earlier than callers are told, so that a caller who waits exactly that long finds a new one. */
const marginMs = 50;

/** Counts points that fit into what is left of the window, and otherwise none of them. */
const countIfTheyFit = `
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
  alone: RateLimiterMemory;
  limit: number;
  /** Requests of this turn of the event loop, by payer. */
  asking: Map<string, Answer[]>;
  /** Payers who have used up their limit. */
  spent: Map<string, Spent>;
}

/** Times of this process's clock between which the end of a window lies. */
interface Spent {
  earliest: number;
  latest: number;
}

/** undefined: Redis could not be asked. */
type Answer = (allowance: Allowance | undefined) => void;

/**
 * Counts requests per payer (an account, a credential, a network) over all replicas in Redis, or in this process alone
 * while Redis is away or slow.
 */
export class RateLimits {
  private readonly limiters: ReadonlyMap<string, Limiter>;
  private aloneUntil = 0;

  constructor(private readonly options: RateLimitOptions) {
    const { redis, prefix, perMinute, replicas, windowSeconds = 60 } = options;
    this.limiters = new Map(
      Object.entries(perMinute).map(([kind, limit]) => {
        const keyPrefix = `${prefix}:rate:${kind}`;
        const together = new RateLimiterRedis({
          ...{ keyPrefix, points: limit, duration: windowSeconds, storeClient: redis },
          ...{ rejectIfRedisNotReady: true, customIncrTtlLuaScript: countIfTheyFit },
        });
        const alone = new RateLimiterMemory({
          ...{ keyPrefix, points: Math.max(1, Math.floor(limit / replicas)) },
          duration: windowSeconds - marginMs / 1000,
        });
        return [kind, { together, alone, limit, asking: new Map(), spent: new Map() }];
      }),
    );
  }

  /** A request that costs more than is left costs nothing: smaller ones can still be made. */
  async take(kind: string, payer: string, cost = 1): Promise<Allowance> {
    const limiter = this.limiters.get(kind);
    if (!limiter) throw new Error(`no limit was set for the rate class ${kind}`);
    const together = await (cost === 1
      ? this.takeOne(kind, limiter, payer)
      : this.takeTogether(kind, limiter, payer, cost));
    if (!together) this.options.metrics.limitedAlone.inc({ class: kind });
    const allowance = together ?? (await takeAlone(limiter, payer, cost));
    if (!allowance.allowed) this.options.metrics.limited.inc({ class: kind });
    return allowance;
  }

  /** Counts one; answers undefined, or the limit and in how many seconds to try again. */
  async tryCount(kind: string, payer: string): Promise<{ limit: number; retryAfter: number } | undefined> {
    const { allowed, limit, resetSeconds } = await this.take(kind, payer);
    return allowed ? undefined : { limit, retryAfter: resetSeconds };
  }

  /** What one payer asks for at the same moment is one count in Redis. */
  private takeOne(kind: string, limiter: Limiter, payer: string): Promise<Allowance | undefined> {
    return new Promise((resolve) => {
      const present = limiter.asking.get(payer);
      if (present) {
        present.push(resolve);
        return;
      }
      const answers: Answer[] = [resolve];
      limiter.asking.set(payer, answers);
      setImmediate(() => {
        limiter.asking.delete(payer);
        void this.answerAll(kind, limiter, payer, answers);
      });
    });
  }

  private async answerAll(kind: string, limiter: Limiter, payer: string, answers: readonly Answer[]): Promise<void> {
    const all = await this.takeTogether(kind, limiter, payer, answers.length);
    if (!all || all.allowed || answers.length === 1) {
      answers.forEach((answer, at) => answer(all && { ...all, remaining: all.remaining + answers.length - 1 - at }));
      return;
    }
    // Too many for what is left, which is for the first of them.
    for (const answer of answers) answer(await this.takeTogether(kind, limiter, payer, 1));
  }

  private async takeTogether(
    kind: string,
    limiter: Limiter,
    payer: string,
    cost: number,
  ): Promise<Allowance | undefined> {
    const known = refusedBefore(limiter, payer);
    if (known) return known;
    if (!this.mayAskRedis()) return undefined;
    try {
      const allowance = await inTime(takeFromRedis(limiter, payer, cost));
      // Counted here as well: an outage in mid-window continues from what this process has granted already.
      if (allowance.allowed) void limiter.alone.penalty(payer, cost);
      this.aloneUntil = 0;
      return allowance;
    } catch (err) {
      const isKnown = this.aloneUntil > 0;
      this.aloneUntil = Date.now() + pauseMs;
      if (!isKnown) this.options.logger.warn({ err, class: kind }, 'rate limits are counted by this process alone');
      return undefined;
    }
  }

  /** After a failure one request a second tries again for all others. */
  private mayAskRedis(): boolean {
    if (this.aloneUntil === 0) return true;
    if (Date.now() < this.aloneUntil) return false;
    this.aloneUntil = Date.now() + pauseMs;
    return true;
  }
}

/** A payer who has used up the limit is refused without asking Redis, until the window may have ended. */
function refusedBefore({ spent, limit }: Limiter, payer: string): Allowance | undefined {
  const window = spent.get(payer);
  if (!window) return undefined;
  const now = performance.now();
  if (now < window.earliest) return refused(limit, limit, window.latest - now);
  spent.delete(payer);
  return undefined;
}

async function takeFromRedis(limiter: Limiter, payer: string, cost: number): Promise<Allowance> {
  const { together, limit, spent } = limiter;
  const sentAt = performance.now();
  try {
    return granted(limit, await together.consume(payer, cost));
  } catch (outcome) {
    if (outcome instanceof Error) throw outcome;
    const { consumedPoints, msBeforeNext } = outcome as RateLimiterRes;
    const used = consumedPoints - cost;
    if (used >= limit) {
      if (spent.size >= mostRemembered) spent.clear();
      spent.set(payer, { earliest: sentAt + msBeforeNext, latest: performance.now() + msBeforeNext });
    }
    return refused(limit, used, msBeforeNext);
  }
}

async function takeAlone({ alone, limit }: Limiter, payer: string, cost: number): Promise<Allowance> {
  try {
    return granted(limit, await alone.consume(payer, cost));
  } catch (outcome) {
    if (outcome instanceof Error) throw outcome;
    const { msBeforeNext } = outcome as RateLimiterRes;
    const { consumedPoints: used } = await alone.reward(payer, cost);
    return { ...refused(limit, used, msBeforeNext), remaining: Math.max(0, alone.points - used) };
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
  rateLimited(
    `This counts as ${cost} requests, and ${remaining} of ${limit} a minute are left; ` +
      (cost > limit ? `send at most ${limit} at once` : `try again in ${resetSeconds} s`),
    { limit, resetSeconds },
  );

export const tooMany = ({ limit, resetSeconds }: Allowance): HttpFault =>
  rateLimited(`More than ${limit} requests in a minute; try again in ${resetSeconds} s`, { limit, resetSeconds });

const rateLimited = (message: string, { limit, resetSeconds }: Pick<Allowance, 'limit' | 'resetSeconds'>): HttpFault =>
  new HttpFault(
    429,
    'rate_limited',
    message,
    { 'retry-after': String(resetSeconds) },
    { limit, retryAfter: resetSeconds },
  );
