import type { QueueName } from '@lensforge/contracts';
import type { Redis } from 'ioredis';
import type { StoredJob } from './stored-job.js';

/** A job that reaches a worker with free places through a list instead of BullMQ. */
export interface DirectJob extends StoredJob {
  id: string;
  name: string;
  /** Milliseconds since the epoch. */
  timestamp: number;
}

type KeyKind = 'direct' | 'places' | 'stopped' | `wake-${string}`;

/** `direct` is the list, `places` has the offer of each worker, `stopped` exists while an operator has paused the queue. */
export const directKey = (prefix: string, queue: QueueName, kind: KeyKind): string => `${prefix}:${queue}:${kind}`;

/** The clock of Redis, so that those of workers do not matter. */
export const luaNowMs = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)`;

/** Sums the free places and the running jobs of valid offers. An offer is `<free>,<running>,<valid until, in ms>`. */
export const luaSumOffers = (key: string): string => `
local free, running = 0, 0
for _, offer in ipairs(redis.call('HVALS', ${key})) do
  local places, jobs, ends = string.match(offer, '^(%d+),(%d+),(%d+)$')
  if tonumber(ends) > now then free, running = free + places, running + jobs end
end`;

/** Forgets workers that ended without closing, too. */
const offerScript = `
${luaNowMs}
local offers = redis.call('HGETALL', KEYS[1])
for n = 1, #offers, 2 do
  if tonumber(string.match(offers[n + 1], '%d+$')) < now then redis.call('HDEL', KEYS[1], offers[n]) end
end
redis.call('HSET', KEYS[1], ARGV[1], string.format('%d,%d,%.0f', ARGV[2], ARGV[3], now + ARGV[4]))`;

/** No job passes while the queue is paused. */
const passScript = `
if redis.call('EXISTS', KEYS[3]) == 1 then return 0 end
${luaNowMs}
${luaSumOffers('KEYS[2]')}
local count = math.max(0, math.min(free - redis.call('LLEN', KEYS[1]), #ARGV))
for n = 1, count do redis.call('RPUSH', KEYS[1], ARGV[n]) end
return count`;

export interface DirectQueue {
  redis: Redis;
  prefix: string;
  queue: QueueName;
}

export interface Offer {
  worker: string;
  free: number;
  running: number;
  lastsMs: number;
}

/** Replaces the offer of a worker. */
export async function offerPlaces({ redis, prefix, queue }: DirectQueue, offer: Offer): Promise<void> {
  const { worker, free, running, lastsMs } = offer;
  await redis.eval(offerScript, 1, directKey(prefix, queue, 'places'), worker, free, running, lastsMs);
}

/** The jobs that no worker has taken yet: hardly ever any. */
export async function readDirectJobs({ redis, prefix, queue }: DirectQueue): Promise<DirectJob[]> {
  return (await redis.lrange(directKey(prefix, queue, 'direct'), 0, -1)).map((job) => JSON.parse(job) as DirectJob);
}

/** Passes jobs to workers with free places, the first ones first. Returns how many; the others need BullMQ. */
export async function passDirectly({ redis, prefix, queue }: DirectQueue, jobs: readonly DirectJob[]): Promise<number> {
  if (jobs.length === 0) return 0;
  const keys = (['direct', 'places', 'stopped'] as const).map((kind) => directKey(prefix, queue, kind));
  return (await redis.eval(passScript, keys.length, ...keys, ...jobs.map((job) => JSON.stringify(job)))) as number;
}
