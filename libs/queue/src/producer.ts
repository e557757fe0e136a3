import { type Job, type QueueName, isDirect } from '@lensforge/contracts';
import { batchCalls, groupBy } from '@lensforge/core';
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

export const createProducer = (options: ProducerOptions): Producer => new QueueProducer(options);

class QueueProducer implements Producer {
  private readonly target: { redis: Redis; prefix: string };
  private readonly limitMs: number;
  private readonly log: Log;
  private readonly queues = new Map<QueueName, Queue>();
  private pausedUntil = 0;
  private failing = false;

  constructor({ redis, prefix, limitMs = 1000, log = silentLog }: ProducerOptions) {
    this.target = { redis, prefix };
    this.limitMs = limitMs;
    this.log = log;
  }

  get ready(): boolean {
    return isReady(this.target.redis) && Date.now() >= this.pausedUntil;
  }

  async add<P extends object>(job: Job<P>, payload: NoInfer<P>, options: AddOptions): Promise<boolean> {
    return this.ready && this.addBatched({ ...options, job, payload });
  }

  async addMany(messages: readonly Message[]): Promise<boolean[]> {
    return this.ready ? Promise.all(messages.map(this.addBatched)) : messages.map(() => false);
  }

  async close(): Promise<void> {
    await Promise.allSettled([...this.queues.values()].map((queue) => queue.close()));
  }

  private readonly addBatched = batchCalls<Message, boolean>(
    async (messages) => {
      const added = new Set<Message>();
      const sending = [...groupBy(this.dropUnnamed(messages), ({ job }) => job.queue)].map(async ([queue, group]) => {
        if (await this.send(queue, group)) for (const message of group) added.add(message);
      });
      await Promise.all(sending);
      return messages.map((message) => added.has(message));
    },
    { maxSize: maxBatchSize, concurrency: 2 },
  );

  private dropUnnamed(messages: readonly Message[]): Message[] {
    return messages.filter(({ id, job }) => {
      const isNamed = isJobId(id);
      if (!isNamed)
        this.log.error({ job: job.name, jobId: id }, 'invalid job id: only letters, digits, - and _ are allowed');
      return isNamed;
    });
  }

  private async send(queue: QueueName, messages: readonly Message[]): Promise<boolean> {
    if (!this.ready) return false;
    try {
      const added = await withTimeout(this.limitMs, this.deliver(queue, messages));
      if (added === timedOut) throw new Error(`no answer within ${this.limitMs} ms`);
      if (this.failing) this.log.info({ queue }, 'jobs can be added to Redis again');
      this.failing = false;
      return true;
    } catch (reason) {
      this.pausedUntil = Date.now() + pauseAfterFailureMs;
      const fault = { queue, reason: String(reason) };
      if (!this.failing) this.log.warn(fault, 'jobs cannot be added to Redis and stay in the outbox');
      this.failing = true;
      return false;
    }
  }

  private async deliver(queue: QueueName, messages: readonly Message[]): Promise<void> {
    const due = isDirect(queue) ? messages.filter(({ delay = 0 }) => delay <= 0) : [];
    const passed = new Set(due.slice(0, await passDirectly({ ...this.target, queue }, due.map(toDirectJob))));
    // Single adds are faster than a bulk: for each pipeline ioredis checks every script that it knows.
    const others = messages.filter((message) => !passed.has(message));
    await Promise.all(others.map((message) => addTo(this.named(queue), message)));
  }

  private named(name: QueueName): Queue {
    const queue = this.queues.get(name) ?? openQueue(name, this.target);
    this.queues.set(name, queue);
    return queue;
  }
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
