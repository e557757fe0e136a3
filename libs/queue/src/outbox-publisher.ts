import { setTimeout as pause } from 'node:timers/promises';
import { jobNamed } from '@lensforge/contracts';
import { type Context, batchCalls } from '@lensforge/core';
import { type OutboxRow, claimOutbox, deleteFromOutbox, postponeOutbox } from '@lensforge/database';
import { type Log, silentLog } from './log.js';
import type { Message, Producer } from './producer.js';
import { withTimeout } from './with-timeout.js';

export interface OutboxPublisher {
  /** Publishes rows right after their commit. Failed rows are left to the polling publisher. Never rejects. */
  publish(rows: readonly OutboxRow[]): Promise<void>;
  /** Starts polling for rows that became due, whose writer died, or that Redis did not take. */
  start(): void;
  stop(): Promise<void>;
}

export interface OutboxPublisherOptions {
  db: Context['db'];
  producer: Producer;
  /** The polling interval in milliseconds; grows from `least` to `most` while there are no rows. */
  poll?: { least: number; most: number };
  /** A kept row that its handler did not delete is published again after this time, then after longer ones. */
  redeliverAfterMs?: number;
  log?: Log;
}

const batchSize = 500;
const claimMs = 5000;
const deleteDelayMs = 20;
const stopTimeoutMs = 500;
/** Rows that are due within this time may become delayed jobs; later ones stay in PostgreSQL. */
const soonMs = 5000;
const longAgo = new Date(0);

export const createOutboxPublisher = (options: OutboxPublisherOptions): OutboxPublisher => new Publisher(options);

class Publisher implements OutboxPublisher {
  private readonly db: Context['db'];
  private readonly producer: Producer;
  private readonly interval: { least: number; most: number };
  private readonly redeliverAfterMs: number;
  private readonly log: Log;
  private readonly unknownJobs = new Set<string>();
  private readonly pending = new Set<Promise<void>>();
  private polling: Promise<void> | undefined;
  private wake: () => void = () => undefined;
  private stopped = false;

  constructor(options: OutboxPublisherOptions) {
    const { poll = { least: 200, most: 1000 }, redeliverAfterMs = 5000, log = silentLog } = options;
    this.db = options.db;
    this.producer = options.producer;
    this.interval = poll;
    this.redeliverAfterMs = redeliverAfterMs;
    this.log = log;
  }

  // Callers hand it on without its object.
  readonly publish = async (rows: readonly OutboxRow[]): Promise<void> => {
    const soon = Date.now() + soonMs;
    const due = rows.filter(({ availableAt }) => availableAt.getTime() <= soon);
    if (!this.producer.ready) return;
    const work = Promise.all(due.map((row) => this.publishOne(row))).then(() => undefined);
    this.pending.add(work);
    await work.finally(() => this.pending.delete(work));
  };

  start(): void {
    this.polling ??= this.poll();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.wake();
    await Promise.all([this.polling, withTimeout(stopTimeoutMs, Promise.all(this.pending))]);
  }

  private async publishOne(row: OutboxRow): Promise<void> {
    if ((await this.publishBatched(row)) === 'taken') await this.deleteBatched(row.id);
  }

  private readonly publishBatched = batchCalls<OutboxRow, 'taken' | 'left'>(
    async (rows) => {
      try {
        // The claim of the writer postpones a kept row.
        const { done } = await this.addJobs(rows);
        const taken = new Set(done);
        return rows.map(({ id }) => (taken.has(id) ? 'taken' : 'left'));
      } catch (reason) {
        this.leaveToPolling(rows.length, reason);
        return rows.map(() => 'left');
      }
    },
    { maxSize: batchSize, concurrency: 1 },
  );

  /** Deletes rows a little later, in batches, because each deletion is a commit and no caller waits for it. */
  private readonly deleteBatched = batchCalls<string, undefined>(
    async (ids) => {
      await pause(deleteDelayMs);
      await deleteFromOutbox(this.db, ids).catch((reason: unknown) => this.leaveToPolling(ids.length, reason));
      return ids.map(() => undefined);
    },
    { maxSize: 10 * batchSize, concurrency: 1 },
  );

  private leaveToPolling(rows: number, reason: unknown): void {
    const fault = { rows, reason: String(reason) };
    this.log.warn(fault, 'outbox rows were not published and are left to the polling publisher');
  }

  /** Adds the jobs to Redis. Returns the ids of the added rows: `done` to delete, `kept` for their handler to delete. */
  private async addJobs(rows: readonly OutboxRow[]): Promise<{ done: string[]; kept: string[] }> {
    const known = rows.flatMap((row) => {
      const message = this.toMessage(row);
      return message ? [{ row, message }] : [];
    });
    const added = await this.producer.addMany(known.map(({ message }) => message));
    const taken = known.filter((_, index) => added[index]);
    const listIds = (kept: boolean): string[] =>
      taken.filter(({ message }) => (message.job.keepsOutboxRow ?? false) === kept).map(({ row }) => row.id);
    return { done: listIds(false), kept: listIds(true) };
  }

  private toMessage(row: OutboxRow): Message | undefined {
    const job = jobNamed(row.job);
    if (job) {
      const { jobId, payload, requestId, traceparent, availableAt, priority, tries = 0 } = row;
      // Redis ignores a job with the id of a failed one, so each attempt of a kept row gets its own id.
      const id = job.keepsOutboxRow ? `${jobId}-t${tries}` : jobId;
      const delay = availableAt.getTime() - Date.now();
      return { job, payload, id, delay, ...(priority && { priority }), trace: { requestId, traceparent } };
    }
    if (!this.unknownJobs.has(row.job))
      this.log.error({ job: row.job }, 'the outbox has rows for a job that this version does not know');
    this.unknownJobs.add(row.job);
    return undefined;
  }

  private async poll(): Promise<void> {
    let idleMs = this.interval.least;
    let failing = false;
    while (!this.stopped) {
      const { claimed, published } = await this.pollOnce().catch((reason: unknown) => {
        if (!failing) this.log.warn({ reason: String(reason) }, 'the outbox cannot be read');
        return { claimed: 0, published: -1 };
      });
      failing = published < 0;
      if (published > 0 && claimed === batchSize) continue;
      idleMs = published > 0 ? this.interval.least : Math.min(idleMs * 1.5, this.interval.most);
      await this.idle(idleMs * (0.75 + Math.random() / 2));
    }
  }

  private async pollOnce(): Promise<{ claimed: number; published: number }> {
    if (!this.producer.ready) return { claimed: 0, published: 0 };
    const rows = await claimOutbox(this.db, { most: batchSize, forMs: claimMs });
    return { claimed: rows.length, published: rows.length > 0 ? await this.publishDue(rows) : 0 };
  }

  /** Publishes rows that are due by the clock of PostgreSQL, whatever the local clock says. */
  private async publishDue(rows: readonly OutboxRow[]): Promise<number> {
    const { done, kept } = await this.addJobs(rows.map((row) => ({ ...row, availableAt: longAgo })));
    await deleteFromOutbox(this.db, done);
    await postponeOutbox(this.db, kept, { forMs: this.redeliverAfterMs });
    return done.length + kept.length;
  }

  /** Waits for a time, or until `stop` wakes it. */
  private idle(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
