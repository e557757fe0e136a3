import { InvalidInput, type Job, type QueueName, isDirect, jobs, parse } from '@lensforge/contracts';
import { setTimeout as pause } from 'node:timers/promises';
import { type CustomTransportStrategy, type MessageHandler, type MsPattern, Server } from '@nestjs/microservices';
import { type Job as BullJob, UnrecoverableError, WaitingError, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import { type Registry, register } from 'prom-client';
import { isObservable, lastValueFrom } from 'rxjs';
import { DirectReceiver } from './direct-receiver.js';
import { type FoundHandler, handlerFaults } from './handler-faults.js';
import { type JobContext, bullTransport } from './handles.js';
import { jobLockMs } from './job-lock.js';
import { type JobMetrics, type JobOutcome, jobMetrics } from './job-metrics.js';
import { type Log, silentLog } from './log.js';
import { PauseState } from './pause-state.js';
import { Places } from './places.js';
import type { StoredJob } from './stored-job.js';
import { closeRedis, isReady, openRedis } from './redis.js';
import type { RedisAddress } from './redis-address.js';
import { RepeatedFaults } from './repeated-faults.js';
import { RunningJob, type TakenJob } from './running-job.js';
import { runInSpan } from './run-in-span.js';
import { timedOut, withTimeout } from './with-timeout.js';

export interface BullTransportOptions {
  server: string | RedisAddress;
  /** The prefix of the producer, in braces. */
  prefix: string;
  /** The consumed queues with their concurrency. */
  queues: Readonly<Partial<Record<QueueName, number>>>;
  /** The time that `close` gives running jobs to end. */
  graceMs: number;
  log?: Log;
  registry?: Registry;
  /** Wraps every job, for example to add its ids to log lines. */
  around?: (job: JobContext, work: () => Promise<void>) => Promise<void>;
}

/** The time for aborted jobs to clean up, and for workers without jobs to close. */
const cleanUpMs = 1000;
const failedJobsRetentionSeconds = 3600;
const maxPauseReadMs = 50;

const connectionErrors = /^connect |ECONN|EPIPE|Connection is closed|Socket timeout|Stream isn't writeable/;

const jobsByName = new Map(Object.values<Job>(jobs).map((job) => [job.name, job]));

/** BullMQ as a Nest transport: one worker for each queue. Payloads are validated before their handler runs. */
export class BullTransport extends Server implements CustomTransportStrategy {
  override readonly transportId = bullTransport;
  private readonly handlers: FoundHandler[] = [];
  private readonly running = new Set<RunningJob>();
  private readonly places: ReadonlyMap<QueueName, Places>;
  private readonly log: Log;
  private readonly faults: RepeatedFaults;
  private readonly metrics: JobMetrics;
  private readonly consumed: readonly (readonly [QueueName, number])[];
  private readonly receivers = new Map<QueueName, DirectReceiver>();
  /** The jobs that BullMQ has fetched for each queue, with those that wait for a place. */
  private readonly fetched = new Map<QueueName, number>();
  /** The queues with direct jobs of which no job waits in BullMQ. */
  private readonly drained = new Set<QueueName>();
  private workers: Worker[] = [];
  private redis: Redis | undefined;
  private pauses: PauseState | undefined;
  private closing: Promise<void> | undefined;

  constructor(private readonly options: BullTransportOptions) {
    super();
    this.log = options.log ?? silentLog;
    this.faults = new RepeatedFaults(this.log);
    this.consumed = Object.entries(options.queues) as [QueueName, number][];
    this.places = new Map(this.consumed.map(([name, most]) => [name, new Places(most)]));
    this.metrics = jobMetrics(options.registry ?? register);
  }

  /** Records every handler, because Nest keeps only the last one for each name. */
  override addHandler(
    pattern: unknown,
    callback: MessageHandler,
    isEventHandler = false,
    extras: Record<string, unknown> = {},
  ): void {
    const owner = typeof extras['owner'] === 'string' ? extras['owner'] : 'a handler without @Handles';
    this.handlers.push({ job: this.normalizePattern(pattern as MsPattern), owner });
    super.addHandler(pattern, callback, isEventHandler, extras);
  }

  listen(callback: (fault?: Error) => void): void {
    const names = this.consumed.map(([name]) => name);
    const faults = handlerFaults(Object.values<Job>(jobs), names, this.handlers);
    if (faults.length > 0) {
      callback(new Error(`The job handlers do not match the jobs table: ${faults.join('; ')}`));
      return;
    }
    const redis = openRedis(this.options.server, 'worker', { name: `worker:${names.join(',')}`, log: this.log });
    this.redis = redis;
    this.pauses = new PauseState(redis, this.options.prefix);
    this.workers = this.consumed.map(([name, most]) => {
      const worker = this.startWorker(redis, name, most);
      if (isDirect(name)) this.receivers.set(name, this.startReceiver(redis, worker, { queue: name, most }));
      return worker;
    });
    callback();
  }

  get ready(): boolean {
    return !this.closing && this.redis !== undefined && isReady(this.redis);
  }

  get jobsRunning(): number {
    return this.running.size;
  }

  /** Takes no more jobs, waits for running jobs during the grace period, then aborts them. */
  close(): Promise<void> {
    this.closing ??= this.drain();
    return this.closing;
  }

  on(): never {
    throw new Error('BullTransport has no events: use a job handler');
  }

  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- Nest's signature
  unwrap<T>(): T {
    return this.workers as T;
  }

  private startWorker(redis: Redis, name: QueueName, concurrency: number): Worker {
    const work = async (job: BullJob<Partial<StoredJob>>, token?: string): Promise<void> => {
      this.countFetched(name, 1);
      try {
        const mayStart = await this.placeIn(name);
        if (mayStart) await this.run(this.toRunningJob(name, takenJob(job)), job.data.payload);
        else await this.giveBack(redis, job, token);
      } finally {
        this.countFetched(name, -1);
      }
    };
    const worker = new Worker<Partial<StoredJob>>(name, work, {
      connection: redis,
      prefix: this.options.prefix,
      concurrency,
      lockDuration: jobLockMs,
      stalledInterval: jobLockMs / 2,
      maxStalledCount: 1,
      drainDelay: 5,
      runRetryDelay: 1000,
      removeOnComplete: { count: 0 },
      removeOnFail: { age: failedJobsRetentionSeconds },
    });
    worker.on('error', ({ message }) => this.reportFault(name, message));
    return worker;
  }

  /** Takes a place for a job of BullMQ. False if the queue was paused while the job waited for it. */
  private async placeIn(queue: QueueName): Promise<boolean> {
    const waits = this.freePlaces(queue) === 0;
    await this.places.get(queue)?.take();
    if (!waits || !(await this.pauses?.holdsBack(queue, { hasWaited: true }))) return true;
    this.leavePlace(queue);
    return false;
  }

  /** Puts a job that has not started back into its queue, as if no worker had taken it. */
  private async giveBack(redis: Redis, job: BullJob, token: string | undefined): Promise<void> {
    // Before it waits again, since another worker may take it at once.
    await redis.hdel(`${this.options.prefix}:${job.queueName}:${job.id}`, 'processedOn');
    await job.moveToWait(token);
    throw new WaitingError();
  }

  private leavePlace(queue: QueueName): void {
    this.places.get(queue)?.leave();
    this.receivers.get(queue)?.freed();
  }

  private startReceiver(
    redis: Redis,
    worker: Worker,
    { queue, most }: { queue: QueueName; most: number },
  ): DirectReceiver {
    // Jobs that wait in BullMQ were there before.
    worker.on('active', () => this.drained.delete(queue));
    worker.on('drained', () => {
      this.drained.add(queue);
      this.receivers.get(queue)?.freed();
    });
    return new DirectReceiver({
      redis,
      prefix: this.options.prefix,
      queue,
      free: () => this.freePlaces(queue),
      offered: () => (this.drained.has(queue) ? this.freePlaces(queue) : 0),
      isPaused: (hasWaited) => this.pauses?.holdsBack(queue, { hasWaited }) ?? Promise.resolve(false),
      execute: async ({ payload, ...job }) => {
        await this.places.get(queue)?.take();
        // A fault was logged; like a failed job of BullMQ, it is not repeated.
        await this.run(this.toRunningJob(queue, { ...job, dueAt: job.timestamp }), payload).catch(() => undefined);
      },
      // BullMQ takes no jobs for which there is no place, and needs a limit of at least 1.
      onCount: (direct) => {
        const before = worker.concurrency;
        worker.concurrency = Math.max(1, most - direct);
        if (worker.concurrency > before && this.fetchedIn(queue) >= before) void this.wake(worker);
      },
      onFault: (message) => this.reportFault(queue, message),
    });
  }

  /** A worker at its limit of jobs notices a higher one only when one of them ends, or when it is resumed. */
  private async wake(worker: Worker): Promise<void> {
    if (this.closing) return;
    try {
      await worker.pause(true);
      await worker.resume();
    } catch (reason) {
      this.reportFault(worker.name as QueueName, (reason as Error).message);
    }
  }

  private countFetched(queue: QueueName, change: 1 | -1): void {
    this.fetched.set(queue, this.fetchedIn(queue) + change);
  }

  private fetchedIn(queue: QueueName): number {
    return this.fetched.get(queue) ?? 0;
  }

  private freePlaces(queue: QueueName): number {
    return this.places.get(queue)?.free ?? 0;
  }

  private reportFault(queue: QueueName, message: string): void {
    if (!connectionErrors.test(message)) this.faults.report(queue, message);
  }

  private toRunningJob(queue: QueueName, job: TakenJob): RunningJob {
    return new RunningJob(queue, job, () => this.mayContinue(queue));
  }

  private async mayContinue(queue: QueueName): Promise<boolean> {
    const isAwaited = this.places.get(queue)?.isAwaited ?? true;
    if (!this.ready || isAwaited || !this.drained.has(queue)) return false;
    // A job that has done its work does not wait for Redis.
    const paused = this.pauses?.holdsBack(queue, { hasWaited: false }) ?? Promise.resolve(true);
    return (await withTimeout(maxPauseReadMs, paused)) === false;
  }

  /** Runs a job that has a place, and what follows it there. */
  private async run(job: RunningJob, payload: unknown): Promise<void> {
    const { queue, name } = job;
    try {
      await this.runOne(job, () => this.handle(job, payload));
    } finally {
      for (let { next } = job; next;) {
        const { id, requestId, traceparent, work } = next;
        const now = Date.now();
        const follower = this.toRunningJob(queue, { id, name, requestId, traceparent, timestamp: now, dueAt: now });
        // A fault was logged.
        await this.runOne(follower, () => work(follower)).catch(() => undefined);
        ({ next } = follower);
      }
      this.leavePlace(queue);
    }
  }

  private async runOne(job: RunningJob, handle: () => Promise<void>): Promise<void> {
    const { queue } = job;
    const work = () => runInSpan(job, handle);
    const startedAt = performance.now();
    let outcome: JobOutcome = 'failed';
    this.running.add(job);
    this.metrics.started(job);
    try {
      await (this.options.around ? this.options.around(job, work) : work());
      outcome = 'done';
    } catch (error) {
      if (error instanceof RefusedJob) outcome = 'refused';
      const details = { job: job.name, jobId: job.id, queue, requestId: job.requestId, err: error };
      this.log.error(details, outcome === 'refused' ? 'a job was refused' : 'a job failed');
      throw error;
    } finally {
      this.running.delete(job);
      this.metrics.ended(job, outcome, performance.now() - startedAt);
    }
  }

  private async handle(job: RunningJob, payload: unknown): Promise<void> {
    const known = jobsByName.get(job.name);
    const handler = this.messageHandlers.get(job.name);
    if (!known || !handler) throw new RefusedJob(`This service has no handler for the job ${job.name}`);
    const outcome: unknown = await handler(readPayload(known, payload), job);
    if (isObservable(outcome)) await lastValueFrom(outcome, { defaultValue: undefined });
  }

  private async drain(): Promise<void> {
    const deadline = Date.now() + this.options.graceMs;
    // A worker closes in order only with Redis; without Redis the running jobs still get their grace period.
    if (!this.redis || !isReady(this.redis)) {
      for (const worker of this.workers) void worker.pause(true);
      while (this.running.size > 0 && Date.now() < deadline) await pause(50);
    }
    const force = !this.redis || !isReady(this.redis);
    const closing = Promise.all([
      ...this.workers.map((worker) => worker.close(force)),
      ...[...this.receivers.values()].map((receiver) => receiver.close()),
    ]);
    await this.waitWhileBusy(closing, deadline);
    if (this.running.size > 0) {
      this.log.warn(
        { jobs: [...this.running].map(({ id }) => id) },
        'jobs did not end within the grace period and are aborted',
      );
      for (const job of this.running) job.abort(new Error('The process is ending'));
      await withTimeout(cleanUpMs, closing);
    }
    await withTimeout(cleanUpMs, Promise.allSettled(this.workers.map((worker) => worker.getBackend().close(true))));
    if (this.redis) await closeRedis(this.redis);
  }

  /** Waits until the workers are closed. A worker without jobs may wait for an unavailable Redis, so it gets less time. */
  private async waitWhileBusy(closing: Promise<unknown>, deadline: number): Promise<void> {
    let busyAt = Date.now();
    while (Date.now() < deadline && Date.now() - busyAt < cleanUpMs) {
      if ((await withTimeout(50, closing)) !== timedOut) return;
      if (this.running.size > 0) busyAt = Date.now();
    }
  }
}

const takenJob = ({ id = '', name, timestamp, opts, data }: BullJob<Partial<StoredJob>>): TakenJob => ({
  ...data,
  id,
  name,
  timestamp,
  dueAt: timestamp + (opts.delay ?? 0),
});

/** A job that fails at every attempt. */
class RefusedJob extends UnrecoverableError {
  override readonly name = 'RefusedJob';
}

function readPayload(job: Job, payload: unknown): object {
  try {
    return parse(job.payload, payload, { skipJsonRules: true });
  } catch (reason) {
    if (reason instanceof InvalidInput)
      throw new RefusedJob(`The payload of ${job.name} is not valid: ${reason.message}`);
    throw reason;
  }
}
