import { type Job, type QueueName, isDirect } from '@lensforge/contracts';
import { batchCalls } from '@lensforge/core';
import type { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { type DirectJob, passDirectly } from './direct-jobs.js';
import { isJobId } from './job-id.js';
import { type Log, silentLog } from './log.js';
import { openQueue } from './open-queue.js';
import { isReady } from './redis.js';
import type { StoredJob } from './stored-job.js';
import { timedOut, withTimeout } from './with-timeout.js';

/** The request that caused a job; the handler's log lines and span carry it. */
export interface Trace {
  requestId?: string | null | undefined;
  traceparent?: string | null | undefined;
}

export interface AddOptions {
  /** `<uuid>-g<generation>`. Redis ignores a job whose id it knows. */
  id: string;
  /** Milliseconds. */
  delay?: number;
  /** 1 is the highest; jobs without a priority come before all others. */
  priority?: number;
  trace?: Trace;
}

export interface Message<P extends object = object> extends AddOptions {
  job: Job<P>;
  payload: P;
}

export interface Producer {
  /** True when Redis has the job. Never throws, and waits at most `limitMs`. */
  add<P extends object>(job: Job<P>, payload: NoInfer<P>, options: AddOptions): Promise<boolean>;
  /** One result for each message, in their order. */
  addMany(messages: readonly Message[]): Promise<readonly boolean[]>;
  /** False while Redis is unavailable and shortly after a failure. */
  readonly ready: boolean;
  close(): Promise<void>;
}

export interface ProducerOptions {
  /** Opened with the role `producer`; the caller closes it. */
  redis: Redis;
  /** In braces, so that a cluster keeps the keys of a queue together. */
  prefix: string;
  limitMs?: number;
  log?: Log;
}

/** Small enough for a slow Redis to answer in time; larger batches are not faster. */
const maxBatchSize = 100;
const pauseAfterFailureMs = 500;

export function createProducer({ redis, prefix, limitMs = 1000, log = silentLog }: ProducerOptions): Producer {
  const queues = new Map<QueueName, Queue>();
  let pausedUntil = 0;
  let failing = false;

  const queueNamed = (name: QueueName): Queue => {
    const known = queues.get(name);
    if (known) return known;
    const queue = openQueue(name, { redis, prefix });
    queues.set(name, queue);
    return queue;
  };

  const ready = (): boolean => isReady(redis) && Date.now() >= pausedUntil;

  const fail = (reason: unknown, queue: string): void => {
    pausedUntil = Date.now() + pauseAfterFailureMs;
    if (!failing) log.warn({ queue, reason: String(reason) }, 'jobs cannot be added to Redis and stay in the outbox');
    failing = true;
  };

  const succeed = (queue: string): void => {
    if (failing) log.info({ queue }, 'jobs can be added to Redis again');
    failing = false;
  };

  const deliver = async (queue: QueueName, messages: readonly Message[]): Promise<void> => {
    const due = isDirect(queue) ? messages.filter(({ delay = 0 }) => delay <= 0) : [];
    const passed = new Set(due.slice(0, await passDirectly({ redis, prefix, queue }, due.map(toDirectJob))));
    // Single adds are faster than a bulk: for each pipeline ioredis checks every script that it knows.
    const others = messages.filter((message) => !passed.has(message));
    await Promise.all(others.map((message) => addTo(queueNamed(queue), message)));
  };

  const send = async (name: QueueName, messages: readonly Message[]): Promise<boolean> => {
    if (!ready()) return false;
    try {
      const added = await withTimeout(limitMs, deliver(name, messages));
      if (added === timedOut) throw new Error(`no answer within ${limitMs} ms`);
      succeed(name);
      return true;
    } catch (reason) {
      fail(reason, name);
      return false;
    }
  };

  const addBatched = batchCalls<Message, boolean>(
    async (messages) => {
      const byQueue = new Map<QueueName, Message[]>();
      for (const message of messages) {
        if (!isJobId(message.id)) {
          log.error(
            { job: message.job.name, jobId: message.id },
            'invalid job id: only letters, digits, - and _ are allowed',
          );
          continue;
        }
        const group = byQueue.get(message.job.queue);
        if (group) group.push(message);
        else byQueue.set(message.job.queue, [message]);
      }
      const added = new Set<Message>();
      await Promise.all(
        [...byQueue].map(async ([name, group]) => {
          if (await send(name, group)) for (const message of group) added.add(message);
        }),
      );
      return messages.map((message) => added.has(message));
    },
    { maxSize: maxBatchSize, concurrency: 2 },
  );

  return {
    add: async (job, payload, options) => ready() && addBatched({ ...options, job, payload }),
    addMany: async (messages) => (ready() ? Promise.all(messages.map(addBatched)) : messages.map(() => false)),
    get ready() {
      return ready();
    },
    close: async () => {
      await Promise.allSettled([...queues.values()].map((queue) => queue.close()));
    },
  };
}

const toStoredJob = ({ payload, trace }: Message): StoredJob => ({
  payload,
  ...(trace?.requestId && { requestId: trace.requestId }),
  ...(trace?.traceparent && { traceparent: trace.traceparent }),
});

const toDirectJob = (message: Message): DirectJob => ({
  ...toStoredJob(message),
  id: message.id,
  name: message.job.name,
  timestamp: Date.now(),
});

function addTo(queue: Queue, message: Message): Promise<unknown> {
  const { job, id, delay, priority } = message;
  return queue.add(job.name, toStoredJob(message), {
    jobId: id,
    ...(delay && delay > 0 && { delay }),
    ...(priority && { priority }),
  });
}
