import { setTimeout as pause } from 'node:timers/promises';
import { newId } from '@lensforge/core';
import type { Redis } from 'ioredis';
import { type DirectJob, type DirectQueue, directKey, offerPlaces } from './direct-jobs.js';
import { isReady } from './redis.js';

/** A duplicate of the connection waits for jobs, so that other commands do not wait with it. */
export interface DirectReceiverOptions extends DirectQueue {
  /** The number of jobs that may begin now. */
  free: () => number;
  /** The places among them that no job of BullMQ waits for. */
  offered: () => number;
  /** True while the queue is paused, so that no job begins; a job that has waited for a place needs the newest state. */
  isPaused: (hasWaited: boolean) => Promise<boolean>;
  /** Executes a job; called only while a place is free. */
  execute: (job: DirectJob) => Promise<void>;
  /** Called with the number of running direct jobs whenever it changes. */
  onCount: (direct: number) => void;
  onFault: (message: string) => void;
}

/** Few, so that workers share the jobs that come at the same time. */
const maxAtOnce = 16;
const waitSeconds = 5;
/** Longer than an idle worker waits. */
const offerLastsMs = 15_000;
const renewAfterMs = 250;
const pauseAfterFaultMs = 200;
const pauseCheckMs = 200;
const wakeLastsSeconds = 60;

/** Offers the free places of a worker, and takes the jobs that producers pass to them. */
export class DirectReceiver {
  private readonly id = newId();
  private readonly keys: Readonly<Record<'direct' | 'places' | 'wake', string>>;
  private readonly waiting: Redis;
  private readonly running = new Set<Promise<void>>();
  private readonly ended: Promise<void>;
  private offered = { free: 0, at: -Infinity };
  private change: () => void = () => undefined;
  private abandon: () => void = () => undefined;
  private closing = false;

  constructor(private readonly options: DirectReceiverOptions) {
    const { redis, prefix, queue } = options;
    this.keys = {
      direct: directKey(prefix, queue, 'direct'),
      places: directKey(prefix, queue, 'places'),
      wake: directKey(prefix, queue, `wake-${this.id}`),
    };
    this.waiting = redis.duplicate();
    this.waiting.on('error', () => undefined);
    this.ended = this.receive();
  }

  /** Call when a place became free. Renews an old offer, too: Redis may have lost it. */
  freed(): void {
    this.change();
    if (!this.closing && this.isOutdated()) this.offer();
  }

  /** Takes no more jobs, and waits for those that it has taken. */
  async close(): Promise<void> {
    this.closing = true;
    this.change();
    await this.wake().catch(this.abandon);
    await this.ended;
    this.waiting.disconnect();
    await Promise.all(this.running);
  }

  /** Ends the waiting for jobs, so that none is lost on its way to this worker. */
  private async wake(): Promise<void> {
    const { redis } = this.options;
    const { places, wake } = this.keys;
    if (!isReady(redis) || !isReady(this.waiting)) throw new Error('Redis is away');
    await redis.multi().hdel(places, this.id).rpush(wake, '').expire(wake, wakeLastsSeconds).exec();
  }

  private async receive(): Promise<void> {
    while (!this.closing) {
      try {
        const free = this.options.free();
        if (this.isOutdated()) this.offer();
        if (free === 0) await this.nextChange();
        else if (await this.options.isPaused(false)) await pause(pauseCheckMs);
        else await this.beginAll(await this.take(Math.min(free, maxAtOnce)));
      } catch (reason) {
        this.options.onFault((reason as Error).message);
        await pause(pauseAfterFaultMs);
      }
    }
  }

  private take(most: number): Promise<DirectJob[]> {
    const { direct, wake } = this.keys;
    return new Promise((resolve, reject) => {
      // Without a connection ioredis never answers, not even when it is told to disconnect.
      this.abandon = () => resolve([]);
      this.waiting
        .blmpop(waitSeconds, 2, wake, direct, 'LEFT', 'COUNT', most)
        .then((reply) => (reply?.[0] === direct ? reply[1].map((job) => JSON.parse(job) as DirectJob) : []))
        .then(resolve, reject);
    });
  }

  /** Jobs of BullMQ may have taken the places meanwhile. The jobs of a queue that is paused go back to the list. */
  private async beginAll(jobs: readonly DirectJob[]): Promise<void> {
    for (const [index, job] of jobs.entries()) {
      do {
        const waits = this.options.free() === 0;
        if (waits) await this.nextChange();
        if (await this.options.isPaused(waits)) return this.giveBack(jobs.slice(index));
      } while (this.options.free() === 0);
      this.begin(job);
    }
  }

  private async giveBack(jobs: readonly DirectJob[]): Promise<void> {
    const last = jobs.map((job) => JSON.stringify(job)).reverse();
    await this.options.redis.lpush(this.keys.direct, ...last);
  }

  private begin(job: DirectJob): void {
    const work = this.options.execute(job).finally(() => {
      this.running.delete(work);
      this.options.onCount(this.running.size);
    });
    this.running.add(work);
    this.options.onCount(this.running.size);
  }

  private nextChange(): Promise<void> {
    return new Promise((resolve) => (this.change = resolve));
  }

  /** An offer need not be exact, and to renew it costs Redis as much as to pass a job. */
  private isOutdated(): boolean {
    const free = this.options.offered();
    const { free: offered, at } = this.offered;
    return free <= offered / 2 || free >= 2 * offered || performance.now() - at > renewAfterMs;
  }

  private offer(): void {
    if (!isReady(this.options.redis)) return;
    const free = this.options.offered();
    this.offered = { free, at: performance.now() };
    const offer = { worker: this.id, free, running: this.running.size, lastsMs: offerLastsMs };
    offerPlaces(this.options, offer).catch(() => undefined);
  }
}
