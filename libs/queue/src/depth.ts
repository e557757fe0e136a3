import { type QueueName, queues as allQueues } from '@lensforge/contracts';
import type { Redis } from 'ioredis';
import { type Registry, register } from 'prom-client';
import { luaNowMs, luaSumOffers } from './direct-jobs.js';
import { scrapedGauges } from './scraped-gauges.js';

export interface QueueDepth {
  queue: QueueName;
  /** Jobs that a worker could take, with and without a priority. */
  waiting: number;
  active: number;
  delayed: number;
  failed: number;
  /** Workers take no more jobs of the queue. */
  paused: boolean;
  /** 0 when no job waits. */
  oldestWaitingSeconds: number;
}

/**
 * The oldest waiting job is at the end of the list, which has another name while the queue is paused, or the first of one
 * priority, so the script reads the first job of each priority. A delayed job counts as waiting from the time it was due.
 * Jobs that came directly count as active as of the last offers of their workers.
 */
const script = `
local prefix, most, oldest = ARGV[1], tonumber(ARGV[2]), nil
local function look(id)
  if not id then return end
  local job = redis.call('HMGET', prefix .. id, 'timestamp', 'delay')
  local since = (tonumber(job[1]) or 0) + (tonumber(job[2]) or 0)
  if since > 0 and (not oldest or since < oldest) then oldest = since end
end
look(redis.call('LINDEX', KEYS[1], -1))
look(redis.call('LINDEX', KEYS[6], -1))
local from = '-inf'
for _ = 1, most do
  local first = redis.call('ZRANGEBYSCORE', KEYS[2], from, '+inf', 'WITHSCORES', 'LIMIT', 0, 1)
  if not first[1] then break end
  look(first[1])
  from = string.format('%.0f', (math.floor(tonumber(first[2]) / 4294967296) + 1) * 4294967296)
end
local passed = redis.call('LINDEX', KEYS[8], 0)
if passed then
  local since = cjson.decode(passed).timestamp
  if not oldest or since < oldest then oldest = since end
end
${luaNowMs}
${luaSumOffers('KEYS[9]')}
local age = oldest and math.max(0, now - oldest) or 0
return { redis.call('LLEN', KEYS[1]) + redis.call('LLEN', KEYS[6]) + redis.call('ZCARD', KEYS[2]) + redis.call('LLEN', KEYS[8]),
         redis.call('LLEN', KEYS[3]) + running,
         redis.call('ZCARD', KEYS[4]), redis.call('ZCARD', KEYS[5]), age,
         redis.call('HEXISTS', KEYS[7], 'paused') }`;

const kinds = ['wait', 'prioritized', 'active', 'delayed', 'failed', 'paused', 'meta', 'direct', 'places'] as const;

const maxPriorities = 64;

export interface DepthOptions {
  /** Opened with the role `producer`. */
  redis: Redis;
  prefix: string;
  queues?: readonly QueueName[];
}

export async function queueDepths({ redis, prefix, queues = allQueues }: DepthOptions): Promise<QueueDepth[]> {
  const pipeline = redis.pipeline();
  for (const queue of queues) {
    const keys = kinds.map((kind) => `${prefix}:${queue}:${kind}`);
    pipeline.eval(script, keys.length, ...keys, `${prefix}:${queue}:`, maxPriorities);
  }
  const replies = (await pipeline.exec()) ?? [];
  return queues.map((queue, index) => {
    const [error, reply] = replies[index] ?? [];
    if (error) throw error;
    const [waiting = 0, active = 0, delayed = 0, failed = 0, oldestMs = 0, paused = 0] = reply as number[];
    return { queue, waiting, active, delayed, failed, paused: paused === 1, oldestWaitingSeconds: oldestMs / 1000 };
  });
}

/** Registers gauges for queue depth and the oldest waiting job; they have no values while Redis is unavailable. */
export function measureDepth({ registry = register, ...options }: DepthOptions & { registry?: Registry }): void {
  scrapedGauges(registry, () => queueDepths(options), [
    {
      name: 'lensforge_queue_depth',
      help: 'Jobs in Redis by state',
      labelNames: ['queue', 'state'],
      samples: (depths) =>
        depths.flatMap(({ queue, waiting, active, delayed, failed }) =>
          Object.entries({ waiting, active, delayed, failed }).map(
            ([state, jobs]) => [{ queue, state }, jobs] as const,
          ),
        ),
    },
    {
      name: 'lensforge_queue_oldest_waiting_seconds',
      help: 'Seconds that the oldest job a worker could take has been waiting',
      labelNames: ['queue'],
      samples: (depths) => depths.map(({ queue, oldestWaitingSeconds }) => [{ queue }, oldestWaitingSeconds]),
    },
  ]);
}
