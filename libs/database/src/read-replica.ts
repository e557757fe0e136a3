import { setTimeout as pause } from 'node:timers/promises';
import { type Context, DomainError, batchCalls } from '@lensforge/core';
import type { DataSource, EntityManager } from 'typeorm';
import { isLockTimeout, isTransient, withDbRetry } from './db-retry.js';
import { type DatabaseOptions, openDatabase } from './open-database.js';
import { perDatabase } from './per-database.js';
import { isInTransaction } from './transaction.js';

export interface ReplicaOptions extends Omit<DatabaseOptions, 'replicaOf'> {
  /** How long a read waits until the replica has all earlier commits. */
  maxWaitMs: number;
  /** Called when reads move to the primary, with the reason, and when they are back; at most once a minute. */
  onChange: (change: ReplicaChange) => void;
  onRead?: ((answeredBy: 'replica' | 'primary') => void) | undefined;
}

export type ReplicaChange = { used: true } | { used: false; why: string };

const replicas = perDatabase<ReadReplica | undefined>(() => undefined);

/** Sends the reads of `readFromReplica` to a streaming replica of this database; returns the call that closes it. */
export function useReadReplica(source: DataSource, options: ReplicaOptions): () => Promise<void> {
  const replica = new ReadReplica(source, options);
  replicas.set(source, replica);
  return () => replica.close();
}

/**
 * Reads from the replica when it has every commit from before this call, and from the primary otherwise: no reader misses a
 * write that was acknowledged, whichever process made it. The callback's `ctx` shadows the outer one on purpose; it must not
 * write.
 */
export async function readFromReplica<T>(ctx: Context, read: (ctx: Context) => Promise<T>): Promise<T> {
  const replica = isInTransaction(ctx) ? undefined : replicas.of(ctx);
  const db = await replica?.current();
  if (replica && db) {
    try {
      const result = await read({ ...ctx, db });
      replica.answered('replica');
      return result;
    } catch (reason) {
      if (reason instanceof DomainError) throw reason;
      // The primary reports other faults, such as invalid values, itself.
      if (isTransient(reason) || isLockTimeout(reason)) replica.avoid(`failed (${toMessage(reason)})`);
    }
  }
  replica?.answered('primary');
  return withDbRetry(() => read(ctx));
}

/** The position up to which commits are acknowledged. Without synchronous commits they are before they are flushed. */
const primaryPosition = `
  select (case current_setting('synchronous_commit') when 'off' then pg_current_wal_insert_lsn()
               else pg_current_wal_flush_lsn() end - '0/0'::pg_lsn)::text as position`;
const replicaPosition = `
  select case when pg_is_in_recovery() then (pg_last_wal_replay_lsn() - '0/0'::pg_lsn)::text end as position`;

const avoidMs = 1000;
const answerTimeoutMs = 500;
const noticeIntervalMs = 60_000;
const pollMs = 2;

class ReadReplica {
  private source: DataSource | undefined;
  private opening: Promise<void> | undefined;
  private closed = false;
  private avoidUntil = 0;
  private noticedAt = -Infinity;
  private noticed = false;
  /** The last known position of the replica; undefined before the first answer. */
  private replayed: bigint | undefined;

  /** Concurrent calls share a query; one that is queued while a query runs waits for the next. */
  private readonly askPrimary = shared(async () => {
    const position = await readPosition(this.primary.manager, primaryPosition);
    return position ?? 0n;
  });
  private readonly askReplica = shared(async () => {
    if (!this.source) throw new Error('it is not open');
    const position = await readPosition(this.source.manager, replicaPosition);
    if (position === undefined) throw new Error('it is no streaming replica');
    return (this.replayed = position);
  });

  constructor(
    private readonly primary: DataSource,
    private readonly options: ReplicaOptions,
  ) {
    this.open();
  }

  /** The replica, if it is up to date now; undefined when the primary must be read. */
  async current(): Promise<EntityManager | undefined> {
    if (performance.now() < this.avoidUntil) return undefined;
    if (!this.source) {
      this.open();
      return undefined;
    }
    try {
      const before = this.replayed ?? (await withTimeout(this.askReplica()));
      // A fault of the primary is none of the replica; the read itself retries it.
      const wanted = await this.askPrimary().catch(() => undefined);
      if (wanted === undefined) return undefined;
      if (before > wanted) {
        this.replayed = undefined;
        this.avoid('has writes that the primary does not have: set it up again');
        return undefined;
      }
      return await this.reach(wanted);
    } catch (reason) {
      this.avoid(`does not answer (${toMessage(reason)})`);
      return undefined;
    }
  }

  private async reach(wanted: bigint): Promise<EntityManager | undefined> {
    const deadline = performance.now() + this.options.maxWaitMs;
    while ((await withTimeout(this.askReplica())) < wanted) {
      if (performance.now() >= deadline) {
        this.avoid(`is more than ${this.options.maxWaitMs} ms behind`);
        return undefined;
      }
      await pause(pollMs);
    }
    if (this.noticed) {
      this.noticed = false;
      this.options.onChange({ used: true });
    }
    return this.source?.manager;
  }

  /** Sends reads to the primary for a moment. */
  avoid(why: string): void {
    const now = performance.now();
    this.avoidUntil = now + avoidMs;
    if (this.closed || now - this.noticedAt < noticeIntervalMs) return;
    this.noticedAt = now;
    this.noticed = true;
    this.options.onChange({ used: false, why });
  }

  answered(by: 'replica' | 'primary'): void {
    this.options.onRead?.(by);
  }

  async close(): Promise<void> {
    this.closed = true;
    await this.opening;
    await this.source?.destroy();
    this.source = undefined;
  }

  /** Opens connections without making a reader wait for them. */
  private open(): void {
    if (this.closed || this.opening) return;
    this.opening = openDatabase({ ...this.options, replicaOf: this.primary })
      .then(
        (source) => void (this.source = source),
        (reason: unknown) => this.avoid(`cannot be opened (${toMessage(reason)})`),
      )
      .finally(() => (this.opening = undefined));
  }
}

const shared = (ask: () => Promise<bigint>): (() => Promise<bigint>) => {
  const call = batchCalls<undefined, bigint>(
    async (items) => {
      const answer = await ask();
      return items.map(() => answer);
    },
    { maxSize: 10_000, concurrency: 1 },
  );
  return () => call(undefined);
};

async function readPosition(db: EntityManager, sql: string): Promise<bigint | undefined> {
  const [row] = await db.query<{ position: string | null }[]>(sql);
  return typeof row?.position === 'string' ? BigInt(row.position) : undefined;
}

async function withTimeout<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${answerTimeoutMs} ms`)), answerTimeoutMs);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

const toMessage = (reason: unknown): string => (reason instanceof Error ? reason.message : String(reason));
