import type { Job, QueueName } from '@lensforge/contracts';
import { batchCalls } from '@lensforge/core';
import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { isJobId } from './job-id.js';
import type { Log } from './log.js';
import { silentLog } from './log.js';
import { isReady } from './redis.js';
import { timedOut, withTimeout } from './with-timeout.js';

/** Where a job comes from; it travels with the job and reaches the handler's log lines and span. */
export interface Trace {
  requestId?: string | null | undefined;
  traceparent?: string | null | undefined;
}

export interface AddOptions {
  /** `<uuid>-g<generation>`: while Redis remembers an id, the same one again is no second job. */
  id: string;
  /** Milliseconds. */
  delay?: number;
  /** 1 first; jobs without one come before all others. */
  priority?: number;
  trace?: Trace;
}

export interface Message<P extends object = object> extends AddOptions {
  job: Job<P>;
  payload: P;
}

/** How a job lies in Redis. */
export interface StoredJob {
  payload: object;
  requestId?: string;
  traceparent?: string;
}

export interface Producer {
  /** True when Redis has the job. Never throws and never waits longer than the limit for Redis. */
  add<P extends object>(job: Job<P>, payload: NoInfer<P>, options: AddOptions): Promise<boolean>;
  /** One answer per message, in their order. */
  addMany(messages: readonly Message[]): Promise<readonly boolean[]>;
  /** False while adding has no prospect. */
  readonly ready: boolean;
  close(): Promise<void>;
}

export interface ProducerOptions {
  /** Opened with the role `producer`; stays the caller's. */
  redis: Redis;
  /** In braces, so that a cluster keeps the keys of a queue together. */
  prefix: string;
  limitMs?: number;
  log?: Log;
}

/** Small enough that even a slow Redis answers within the limit; larger ones are not faster. */
const mostInOneAdd = 100;
const pauseAfterFailureMs = 500;

export function createProducer({ redis, prefix, limitMs = 1000, log = silentLog }: ProducerOptions): Producer {
  const queues = new Map<QueueName, Queue>();
  let pausedUntil = 0;
  let failing = false;

  const queueNamed = (name: QueueName): Queue => {
    const known = queues.get(name);
    if (known) return known;
    // Without these the queue waits for Redis once, and is useless for ever when that first wait fails.
    const patient = { skipWaitingForReady: true, skipVersionCheck: true, skipMetasUpdate: true };
    const queue = new Queue(name, { connection: redis, prefix, ...patient });
    queue.on('error', () => undefined);
    queues.set(name, queue);
    return queue;
  };

  const ready = (): boolean => isReady(redis) && Date.now() >= pausedUntil;

  const fail = (reason: unknown, queue: string): void => {
    pausedUntil = Date.now() + pauseAfterFailureMs;
    if (!failing) log.warn({ queue, reason: String(reason) }, 'jobs cannot be handed to Redis and stay in the outbox');
    failing = true;
  };

  const succeed = (queue: string): void => {
    if (failing) log.info({ queue }, 'jobs can be handed to Redis again');
    failing = false;
  };

  const send = async (name: QueueName, messages: readonly Message[]): Promise<boolean> => {
    if (!ready()) return false;
    try {
      // One by one and not as a bulk: ioredis builds a pipeline out of every script that it knows, each time anew.
      const queue = queueNamed(name);
      const added = await withTimeout(limitMs, Promise.all(messages.map((message) => addTo(queue, message))));
      if (added === timedOut) throw new Error(`no answer within ${limitMs} ms`);
      succeed(name);
      return true;
    } catch (reason) {
      fail(reason, name);
      return false;
    }
  };

  const addGathered = batchCalls<Message, boolean>(
    async (messages) => {
      const byQueue = new Map<QueueName, Message[]>();
      for (const message of messages) {
        if (!isJobId(message.id)) {
          log.error({ job: message.job.name, jobId: message.id }, 'no job id: letters, digits, - and _ only');
          continue;
        }
        const lane = byQueue.get(message.job.queue);
        if (lane) lane.push(message);
        else byQueue.set(message.job.queue, [message]);
      }
      const handed = new Set<Message>();
      await Promise.all(
        [...byQueue].map(async ([name, lane]) => {
          if (await send(name, lane)) for (const message of lane) handed.add(message);
        }),
      );
      return messages.map((message) => handed.has(message));
    },
    { most: mostInOneAdd, atOnce: 2 },
  );

  return {
    add: async (job, payload, options) => ready() && addGathered({ ...options, job, payload }),
    addMany: async (messages) => (ready() ? Promise.all(messages.map(addGathered)) : messages.map(() => false)),
    get ready() {
      return ready();
    },
    close: async () => {
      await Promise.allSettled([...queues.values()].map((queue) => queue.close()));
    },
  };
}

function addTo(queue: Queue, { job, payload, id, delay, priority, trace }: Message): Promise<unknown> {
  const parcel: StoredJob = {
    payload,
    ...(trace?.requestId && { requestId: trace.requestId }),
    ...(trace?.traceparent && { traceparent: trace.traceparent }),
  };
  return queue.add(job.name, parcel, {
    jobId: id,
    ...(delay && delay > 0 && { delay }),
    ...(priority && { priority }),
  });
}
