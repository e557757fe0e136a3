import { DomainError, newId } from '@lensforge/core';
import { type Platform, type ServiceLogger, withRedisTimeout } from '@lensforge/edge';
import { luaNowMs } from '@lensforge/queue';

/** A limit that a stream counts against. */
export interface StreamLimit {
  /** The account, read token or network, with the kind of stream. */
  name: string;
  limit: number;
  /** The beginning of a refusal, such as "This account". */
  subject: string;
  /** The streams that count, such as "event streams". */
  streams: string;
}

export interface StreamSlotsOptions {
  redis: Platform['redis'];
  prefix: string;
  /** The number of gateways; without Redis each opens its share of a limit. */
  replicas: number;
  logger: Pick<ServiceLogger, 'warn'>;
  /** A gateway renews its slots three times in a lease; those of a gateway that was killed are free after it. */
  leaseMs?: number;
  /** After this time without an answer of Redis the gateway counts alone; 250 ms when absent. */
  redisTimeoutMs?: number;
}

export interface StreamSlot {
  release(): void;
}

const retryAfterMs = 1000;

/** Takes a slot of all limits if each has one, and returns 0, or the number of the first limit that has none. */
const takeScript = `
${luaNowMs}
for at, key in ipairs(KEYS) do
  redis.call('ZREMRANGEBYSCORE', key, '-inf', now)
  if redis.call('ZCARD', key) >= tonumber(ARGV[at + 2]) then return at end
end
for _, key in ipairs(KEYS) do
  redis.call('ZADD', key, now + ARGV[2], ARGV[1])
  redis.call('PEXPIRE', key, ARGV[2])
end
return 0`;

/** Renews slots, and writes those that a Redis that was away has not seen or has lost. */
const renewScript = `
${luaNowMs}
for at = 2, #ARGV do redis.call('ZADD', KEYS[1], now + ARGV[1], ARGV[at]) end
redis.call('PEXPIRE', KEYS[1], ARGV[1])`;

/**
 * Counts open event streams: in Redis for all gateways together, by leases, or in this process while Redis is unavailable or
 * slow. The counts of the other gateways are unknown then, so that each one opens no more than its share.
 */
export class StreamSlots {
  /** The slots of this process, by the name of the limit. */
  private readonly own = new Map<string, Set<string>>();
  private readonly timer: NodeJS.Timeout;
  private readonly leaseMs: number;
  private localUntil = 0;
  /** True from a failure of Redis until it answers. */
  private isAway = false;
  /** After a failure, the time when all gateways have written their slots again; shares apply until then. */
  private settledAt = 0;

  constructor(private readonly options: StreamSlotsOptions) {
    this.leaseMs = options.leaseMs ?? 60_000;
    this.timer = setInterval(() => this.renew(), this.leaseMs / 3);
    options.redis.on('close', this.onAway);
    options.redis.on('ready', this.onBack);
  }

  /** Takes a slot of each limit, or throws RATE_LIMITED. */
  async take(limits: readonly StreamLimit[]): Promise<StreamSlot> {
    const id = newId();
    const full = await this.takeShared(id, limits);
    if (full) throw refusal(full, full.limit, '');
    if (full === undefined || this.isAway || performance.now() < this.settledAt) this.requireShare(id, limits);
    for (const { name } of limits) this.own.set(name, (this.own.get(name) ?? new Set()).add(id));
    return { release: () => this.release(id, limits) };
  }

  /** Stops renewing; streams that end later still release their slots. */
  close(): void {
    clearInterval(this.timer);
    this.options.redis.off('close', this.onAway);
    this.options.redis.off('ready', this.onBack);
  }

  private key(name: string): string {
    return `${this.options.prefix}:streams:${name}`;
  }

  /** The first limit without a free slot, or null; undefined while Redis is unavailable. */
  private async takeShared(id: string, limits: readonly StreamLimit[]): Promise<StreamLimit | null | undefined> {
    const { redis, logger, redisTimeoutMs } = this.options;
    if (performance.now() < this.localUntil) return undefined;
    const keys = limits.map(({ name }) => this.key(name));
    const most = limits.map(({ limit }) => limit);
    // Redis must have the slots of this gateway before it counts.
    if (this.isAway) this.renew();
    try {
      const at = Number(
        await withRedisTimeout(redis.eval(takeScript, keys.length, ...keys, id, this.leaseMs, ...most), redisTimeoutMs),
      );
      this.localUntil = 0;
      this.onBack();
      return limits[at - 1] ?? null;
    } catch (err) {
      this.onAway();
      if (this.localUntil === 0)
        logger.warn({ err }, 'Redis is unavailable: this gateway counts its event streams alone');
      this.localUntil = performance.now() + retryAfterMs;
      return undefined;
    }
  }

  private requireShare(id: string, limits: readonly StreamLimit[]): void {
    for (const each of limits) {
      const share = Math.max(1, Math.floor(each.limit / this.options.replicas));
      const open = this.own.get(each.name)?.size ?? 0;
      if (open < share) continue;
      this.release(id, limits);
      throw refusal(each, share, ' at this gateway while Redis is unavailable');
    }
  }

  private release(id: string, limits: readonly StreamLimit[]): void {
    for (const { name } of limits) {
      const ids = this.own.get(name);
      ids?.delete(id);
      if (ids?.size === 0) this.own.delete(name);
      // Without Redis the lease ends by itself.
      this.options.redis.zrem(this.key(name), id).catch(() => undefined);
    }
  }

  private readonly onAway = (): void => {
    this.isAway = true;
  };

  private readonly onBack = (): void => {
    if (!this.isAway) return;
    this.isAway = false;
    this.settledAt = performance.now() + this.leaseMs / 2;
    this.renew();
  };

  private renew(): void {
    for (const [name, ids] of this.own) {
      this.options.redis.eval(renewScript, 1, this.key(name), this.leaseMs, ...ids).catch(() => undefined);
    }
  }
}

function refusal({ subject, streams }: StreamLimit, limit: number, place: string): DomainError {
  const message = `${subject} has ${limit} ${streams} open${place}, which is the limit; close one and try again`;
  return new DomainError('RATE_LIMITED', message, { limit, retryAfter: 1 });
}
