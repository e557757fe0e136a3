import { setTimeout as pause } from 'node:timers/promises';
import { jobNamed } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { batchCalls } from '@lensforge/core';
import type { OutboxRow } from '@lensforge/database';
import { claimOutbox, postponeOutbox, deleteFromOutbox } from '@lensforge/database';
import type { Log } from './log.js';
import { silentLog } from './log.js';
import type { Message, Producer } from './producer.js';
import { withTimeout } from './with-timeout.js';

export interface OutboxPublisher {
  /** Right after the commit that wrote the rows; what does not work out is left to a sweeper. Never rejects. */
  handOver(rows: readonly OutboxRow[]): Promise<void>;
  /** Starts sweeping: rows whose writer died, rows that became due, rows from when Redis was away. */
  start(): void;
  stop(): Promise<void>;
}

export interface OutboxPublisherOptions {
  db: Context['db'];
  producer: Producer;
  /** How long the sweeper waits for new rows: `least` while there are some, growing to `most` while there are none. */
  poll?: { least: number; most: number };
  /** After this time, and then ever longer ones, a kept row that nobody struck is handed over again. */
  keepMs?: number;
  log?: Log;
}

const mostAtOnce = 500;
const claimMs = 5000;
const betweenStrikesMs = 20;
const lastStrikesMs = 500;
/** Redis may keep what is due within this; what is due later stays where it cannot get lost. */
const soonMs = 5000;
const longAgo = new Date(0);

export function createOutboxPublisher({
  db,
  producer,
  poll = { least: 200, most: 1000 },
  keepMs = 5000,
  log = silentLog,
}: OutboxPublisherOptions): OutboxPublisher {
  const strangers = new Set<string>();
  let sweeping: Promise<void> | undefined;
  let wake: () => void = () => undefined;
  let stopped = false;

  const messageOf = (row: OutboxRow): Message | undefined => {
    const job = jobNamed(row.job);
    if (job) {
      const { jobId, payload, requestId, traceparent, availableAt, priority, tries = 0 } = row;
      // Redis ignores a job whose id it remembers as failed, and a kept row is there to be asked for again.
      const id = job.keepsOutboxRow ? `${jobId}-t${tries}` : jobId;
      const delay = availableAt.getTime() - Date.now();
      return { job, payload, id, delay, ...(priority && { priority }), trace: { requestId, traceparent } };
    }
    if (!strangers.has(row.job))
      log.error({ job: row.job }, 'the outbox has rows for a job that this version does not know');
    strangers.add(row.job);
    return undefined;
  };

  /** The ids of the rows that Redis took: those to be struck, and those that their handler strikes. */
  const handIn = async (rows: readonly OutboxRow[]): Promise<{ done: string[]; kept: string[] }> => {
    const known = rows.flatMap((row) => {
      const message = messageOf(row);
      return message ? [{ row, message }] : [];
    });
    const handed = await producer.addMany(known.map(({ message }) => message));
    const taken = known.filter((_, index) => handed[index]);
    const idsOf = (kept: boolean): string[] =>
      taken.filter(({ message }) => (message.job.keepsOutboxRow ?? false) === kept).map(({ row }) => row.id);
    return { done: idsOf(false), kept: idsOf(true) };
  };

  /** Rows that are due by the clock of PostgreSQL: a clock of ours that is behind must not delay them. */
  const deliver = async (rows: readonly OutboxRow[]): Promise<number> => {
    const { done, kept } = await handIn(rows.map((row) => ({ ...row, availableAt: longAgo })));
    await deleteFromOutbox(db, done);
    await postponeOutbox(db, kept, { forMs: keepMs });
    return done.length + kept.length;
  };

  const leaveToSweeper = (rows: number, reason: unknown): void =>
    log.warn({ rows, reason: String(reason) }, 'outbox rows were left to the sweeper');

  /** A strike is a commit of its own and nobody waits for it: it comes a little later, with all that came meanwhile. */
  const strikeGathered = batchCalls<string, undefined>(
    async (ids) => {
      await pause(betweenStrikesMs);
      await deleteFromOutbox(db, ids).catch((reason: unknown) => leaveToSweeper(ids.length, reason));
      return ids.map(() => undefined);
    },
    { most: 10 * mostAtOnce, atOnce: 1 },
  );

  const handInGathered = batchCalls<OutboxRow, 'taken' | 'left'>(
    async (rows) => {
      try {
        const { done, kept } = await handIn(rows);
        await postponeOutbox(db, kept, { forMs: keepMs });
        const taken = new Set(done);
        return rows.map(({ id }) => (taken.has(id) ? 'taken' : 'left'));
      } catch (reason) {
        leaveToSweeper(rows.length, reason);
        return rows.map(() => 'left');
      }
    },
    { most: mostAtOnce, atOnce: 1 },
  );

  const handing = new Set<Promise<void>>();
  const handOne = async (row: OutboxRow): Promise<void> => {
    if ((await handInGathered(row)) === 'taken') await strikeGathered(row.id);
  };

  const sweepOnce = async (): Promise<{ claimed: number; delivered: number }> => {
    if (!producer.ready) return { claimed: 0, delivered: 0 };
    const rows = await claimOutbox(db, { most: mostAtOnce, forMs: claimMs });
    return { claimed: rows.length, delivered: rows.length > 0 ? await deliver(rows) : 0 };
  };

  const sweep = async (): Promise<void> => {
    let idleMs = poll.least;
    let failing = false;
    while (!stopped) {
      const { claimed, delivered } = await sweepOnce().catch((reason: unknown) => {
        if (!failing) log.warn({ reason: String(reason) }, 'the outbox cannot be swept');
        return { claimed: 0, delivered: -1 };
      });
      failing = delivered < 0;
      if (delivered > 0 && claimed === mostAtOnce) continue;
      idleMs = delivered > 0 ? poll.least : Math.min(idleMs * 1.5, poll.most);
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
    handOver: async (rows) => {
      const soon = Date.now() + soonMs;
      const due = rows.filter(({ availableAt }) => availableAt.getTime() <= soon);
      if (!producer.ready) return;
      const work = Promise.all(due.map(handOne)).then(() => undefined);
      handing.add(work);
      await work.finally(() => handing.delete(work));
    },
    start: () => {
      sweeping ??= sweep();
    },
    stop: async () => {
      stopped = true;
      wake();
      await Promise.all([sweeping, withTimeout(lastStrikesMs, Promise.all(handing))]);
    },
  };
}
