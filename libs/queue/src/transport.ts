import type { Job, QueueName } from '@lensforge/contracts';
import { InvalidInput, jobs, parse } from '@lensforge/contracts';
import { setTimeout as pause } from 'node:timers/promises';
import type { CustomTransportStrategy, MessageHandler, MsPattern } from '@nestjs/microservices';
import { Server } from '@nestjs/microservices';
import type { Job as BullJob } from 'bullmq';
import { UnrecoverableError, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import type { Registry } from 'prom-client';
import { register } from 'prom-client';
import { isObservable, lastValueFrom } from 'rxjs';
import type { FoundHandler } from './handler-faults.js';
import { handlerFaults } from './handler-faults.js';
import type { JobContext } from './handles.js';
import { bullTransport } from './handles.js';
import { jobLockMs } from './job-lock.js';
import type { JobMetrics, JobOutcome } from './job-metrics.js';
import { jobMetrics } from './job-metrics.js';
import type { Log } from './log.js';
import { silentLog } from './log.js';
import type { StoredJob } from './producer.js';
import { closeRedis, isReady, openRedis } from './redis.js';
import { RunningJob } from './running-job.js';
import { traced } from './traced.js';
import { timedOut, withTimeout } from './with-timeout.js';

export interface BullTransportOptions {
  redisUrl: string;
  /** In braces, the producer's. */
  prefix: string;
  /** The queues this service consumes, each with how many of its jobs run at once. */
  queues: Readonly<Partial<Record<QueueName, number>>>;
  /** How long `close` lets running jobs run. */
  graceMs: number;
  log?: Log;
  registry?: Registry;
  /** Surrounds every job, so that its log lines carry where it came from. */
  around?: (job: JobContext, work: () => Promise<void>) => Promise<void>;
}

/** How long an aborted job may still tidy up, and how long a worker without jobs may take to leave. */
const lastMomentsMs = 1000;
const failedJobsKeptSeconds = 3600;

const connectionWords = /^connect |ECONN|EPIPE|Connection is closed|Socket timeout|Stream isn't writeable/;

const jobsByName = new Map(Object.values<Job>(jobs).map((job) => [job.name, job]));

/** BullMQ as a Nest transport: one worker per queue, each job checked at the schema gate before its handler sees it. */
export class BullTransport extends Server implements CustomTransportStrategy {
  override readonly transportId = bullTransport;
  private readonly found: FoundHandler[] = [];
  private readonly running = new Set<RunningJob>();
  private readonly log: Log;
  private readonly measures: JobMetrics;
  private readonly consumed: readonly (readonly [QueueName, number])[];
  private workers: Worker[] = [];
  private redis: Redis | undefined;
  private closing: Promise<void> | undefined;

  constructor(private readonly options: BullTransportOptions) {
    super();
    this.log = options.log ?? silentLog;
    this.consumed = Object.entries(options.queues) as [QueueName, number][];
    this.measures = jobMetrics(options.registry ?? register);
  }

  /** Nest keeps one handler per name and forgets the others, so they are counted as they come. */
  override addHandler(
    pattern: unknown,
    callback: MessageHandler,
    isEventHandler = false,
    extras: Record<string, unknown> = {},
  ): void {
    const owner = typeof extras['owner'] === 'string' ? extras['owner'] : 'a handler without @Handles';
    this.found.push({ job: this.normalizePattern(pattern as MsPattern), owner });
    super.addHandler(pattern, callback, isEventHandler, extras);
  }

  listen(callback: (fault?: Error) => void): void {
    const names = this.consumed.map(([name]) => name);
    const faults = handlerFaults(Object.values<Job>(jobs), names, this.found);
    if (faults.length > 0) {
      callback(new Error(`Jobs and handlers do not fit: ${faults.join('; ')}`));
      return;
    }
    const { redisUrl } = this.options;
    const redis = openRedis(redisUrl, 'worker', { name: `worker:${names.join(',')}`, log: this.log });
    this.redis = redis;
    this.workers = this.consumed.map(([name, concurrency]) => this.startWorker(redis, name, concurrency));
    callback();
  }

  get ready(): boolean {
    return !this.closing && this.redis !== undefined && isReady(this.redis);
  }

  get jobsRunning(): number {
    return this.running.size;
  }

  /** Takes no more jobs, lets the running ones end within the grace, then aborts and leaves them. */
  close(): Promise<void> {
    this.closing ??= this.drain();
    return this.closing;
  }

  on(): never {
    throw new Error('The post has no events of its own: a job has a handler');
  }

  // eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- Nest's signature
  unwrap<T>(): T {
    return this.workers as T;
  }

  private startWorker(redis: Redis, name: QueueName, concurrency: number): Worker {
    const worker = new Worker<Partial<StoredJob>>(name, (job) => this.run(name, job), {
      connection: redis,
      prefix: this.options.prefix,
      concurrency,
      lockDuration: jobLockMs,
      stalledInterval: jobLockMs / 2,
      maxStalledCount: 1,
      drainDelay: 5,
      runRetryDelay: 1000,
      removeOnComplete: { count: 0 },
      removeOnFail: { age: failedJobsKeptSeconds },
    });
    worker.on('error', ({ message }) => {
      if (!connectionWords.test(message)) this.log.warn({ queue: name, reason: message }, 'the queue has a fault');
    });
    return worker;
  }

  private async run(queue: QueueName, bullJob: BullJob<Partial<StoredJob>>): Promise<void> {
    const job = new RunningJob(queue, bullJob);
    const work = () => traced(job, () => this.handle(job, bullJob.data.payload));
    const startedAt = performance.now();
    let outcome: JobOutcome = 'failed';
    this.running.add(job);
    this.measures.started(job);
    try {
      await (this.options.around ? this.options.around(job, work) : work());
      outcome = 'done';
    } catch (error) {
      if (error instanceof RefusedJob) outcome = 'refused';
      const about = { job: job.name, jobId: job.id, queue, requestId: job.requestId, err: error };
      this.log.error(about, outcome === 'refused' ? 'a job was refused' : 'a job failed');
      throw error;
    } finally {
      this.running.delete(job);
      this.measures.ended(job, outcome, performance.now() - startedAt);
    }
  }

  private async handle(job: RunningJob, payload: unknown): Promise<void> {
    const known = jobsByName.get(job.name);
    const handler = this.messageHandlers.get(job.name);
    if (!known || !handler) throw new RefusedJob(`Nobody here handles the job ${job.name}`);
    const outcome: unknown = await handler(payloadOf(known, payload), job);
    if (isObservable(outcome)) await lastValueFrom(outcome, { defaultValue: undefined });
  }

  private async drain(): Promise<void> {
    const until = Date.now() + this.options.graceMs;
    // A worker leaves in good order only with Redis; without it the jobs under way still have their grace.
    if (!this.redis || !isReady(this.redis)) {
      for (const worker of this.workers) void worker.pause(true);
      while (this.running.size > 0 && Date.now() < until) await pause(50);
    }
    const force = !this.redis || !isReady(this.redis);
    const leaving = Promise.all(this.workers.map((worker) => worker.close(force)));
    await this.whileBusy(leaving, until);
    if (this.running.size > 0) {
      this.log.warn(
        { jobs: [...this.running].map(({ id }) => id) },
        'jobs did not end within the grace and are aborted',
      );
      for (const job of this.running) job.abort(new Error('The process is ending'));
      await withTimeout(lastMomentsMs, leaving);
    }
    await withTimeout(lastMomentsMs, Promise.allSettled(this.workers.map((worker) => worker.getBackend().close(true))));
    if (this.redis) await closeRedis(this.redis);
  }

  /** A worker without jobs that does not leave waits for a Redis that went away: not worth the whole grace. */
  private async whileBusy(leaving: Promise<unknown>, until: number): Promise<void> {
    let busyAt = Date.now();
    while (Date.now() < until && Date.now() - busyAt < lastMomentsMs) {
      if ((await withTimeout(50, leaving)) !== timedOut) return;
      if (this.running.size > 0) busyAt = Date.now();
    }
  }
}

/** Doing it again would not help. */
class RefusedJob extends UnrecoverableError {
  override readonly name = 'RefusedJob';
}

function payloadOf(job: Job, payload: unknown): object {
  try {
    return parse(job.payload, payload, { skipJsonRules: true });
  } catch (reason) {
    if (reason instanceof InvalidInput)
      throw new RefusedJob(`The payload of ${job.name} is not valid: ${reason.message}`);
    throw reason;
  }
}
