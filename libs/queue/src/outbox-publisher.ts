import { setTimeout as pause } from 'node:timers/promises';
import { jobNamed } from '@lensforge/contracts';
import { type Context, batchCalls } from '@lensforge/core';
import { type OutboxRow, claimOutbox, deleteFromOutbox, postponeOutbox } from '@lensforge/database';
import type { LocalJobs } from './local-jobs.js';
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
  /** Takes jobs that this process can execute itself. */
  localJobs?: LocalJobs | undefined;
  log?: Log;
}

const batchSize = 500;
const claimMs = 5000;
const deleteDelayMs = 20;
const stopTimeoutMs = 500;
/** Rows that are due within this time may become delayed jobs; later ones stay in PostgreSQL. */
const soonMs = 5000;
const longAgo = new Date(0);

export function createOutboxPublisher({
  db,
  producer,
  poll: interval = { least: 200, most: 1000 },
  redeliverAfterMs = 5000,
  localJobs,
  log = silentLog,
}: OutboxPublisherOptions): OutboxPublisher {
  const unknownJobs = new Set<string>();
  let polling: Promise<void> | undefined;
  let wake: () => void = () => undefined;
  let stopped = false;

  const toMessage = (row: OutboxRow): Message | undefined => {
    const job = jobNamed(row.job);
    if (job) {
      const { jobId, payload, requestId, traceparent, availableAt, priority, tries = 0 } = row;
      // Redis ignores a job with the id of a failed one, so each attempt of a kept row gets its own id.
      const id = job.keepsOutboxRow ? `${jobId}-t${tries}` : jobId;
      const delay = availableAt.getTime() - Date.now();
      return { job, payload, id, delay, ...(priority && { priority }), trace: { requestId, traceparent } };
    }
    if (!unknownJobs.has(row.job))
      log.error({ job: row.job }, 'the outbox has rows for a job that this version does not know');
    unknownJobs.add(row.job);
    return undefined;
  };

  /** Adds the jobs to Redis. Returns the ids of the added rows: `done` to delete, `kept` for their handler to delete. */
  const addJobs = async (rows: readonly OutboxRow[]): Promise<{ done: string[]; kept: string[] }> => {
    const known = rows.flatMap((row) => {
      const message = toMessage(row);
      return message ? [{ row, message }] : [];
    });
    const added = await producer.addMany(known.map(({ message }) => message));
    const taken = known.filter((_, index) => added[index]);
    const listIds = (kept: boolean): string[] =>
      taken.filter(({ message }) => (message.job.keepsOutboxRow ?? false) === kept).map(({ row }) => row.id);
    return { done: listIds(false), kept: listIds(true) };
  };

  /** Publishes rows that are due by the clock of PostgreSQL, whatever the local clock says. */
  const publishDue = async (rows: readonly OutboxRow[]): Promise<number> => {
    const { done, kept } = await addJobs(rows.map((row) => ({ ...row, availableAt: longAgo })));
    await deleteFromOutbox(db, done);
    await postponeOutbox(db, kept, { forMs: redeliverAfterMs });
    return done.length + kept.length;
  };

  const leaveToPolling = (rows: number, reason: unknown): void =>
    log.warn({ rows, reason: String(reason) }, 'outbox rows were not published and are left to the polling publisher');

  /** Deletes rows a little later, in batches, because each deletion is a commit and no caller waits for it. */
  const deleteBatched = batchCalls<string, undefined>(
    async (ids) => {
      await pause(deleteDelayMs);
      await deleteFromOutbox(db, ids).catch((reason: unknown) => leaveToPolling(ids.length, reason));
      return ids.map(() => undefined);
    },
    { maxSize: 10 * batchSize, concurrency: 1 },
  );

  const publishBatched = batchCalls<OutboxRow, 'taken' | 'left'>(
    async (rows) => {
      try {
        // The claim of the writer postpones a kept row.
        const { done } = await addJobs(rows);
        const taken = new Set(done);
        return rows.map(({ id }) => (taken.has(id) ? 'taken' : 'left'));
      } catch (reason) {
        leaveToPolling(rows.length, reason);
        return rows.map(() => 'left');
      }
    },
    { maxSize: batchSize, concurrency: 1 },
  );

  const pending = new Set<Promise<void>>();
  const publishOne = async (row: OutboxRow): Promise<void> => {
    if ((await executeHere(row)) || (await publishBatched(row)) === 'taken') await deleteBatched(row.id);
  };
  const executeHere = async (row: OutboxRow): Promise<boolean> => {
    const message = localJobs && toMessage(row);
    if (!message || message.job.keepsOutboxRow || (message.delay ?? 0) > 0) return false;
    return localJobs.offer(message);
  };

  const pollOnce = async (): Promise<{ claimed: number; published: number }> => {
    if (!producer.ready) return { claimed: 0, published: 0 };
    const rows = await claimOutbox(db, { most: batchSize, forMs: claimMs });
    return { claimed: rows.length, published: rows.length > 0 ? await publishDue(rows) : 0 };
  };

  const poll = async (): Promise<void> => {
    let idleMs = interval.least;
    let failing = false;
    while (!stopped) {
      const { claimed, published } = await pollOnce().catch((reason: unknown) => {
        if (!failing) log.warn({ reason: String(reason) }, 'the outbox cannot be read');
        return { claimed: 0, published: -1 };
      });
      failing = published < 0;
      if (published > 0 && claimed === batchSize) continue;
      idleMs = published > 0 ? interval.least : Math.min(idleMs * 1.5, interval.most);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, idleMs * (0.75 + Math.random() / 2));
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  };

  return {
    publish: async (rows) => {
      const soon = Date.now() + soonMs;
      const due = rows.filter(({ availableAt }) => availableAt.getTime() <= soon);
      if (!producer.ready) return;
      const work = Promise.all(due.map(publishOne)).then(() => undefined);
      pending.add(work);
      await work.finally(() => pending.delete(work));
    },
    start: () => {
      polling ??= poll();
    },
    stop: async () => {
      stopped = true;
      wake();
      await Promise.all([polling, withTimeout(stopTimeoutMs, Promise.all(pending))]);
    },
  };
}
