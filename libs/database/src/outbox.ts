import { type Job, type PlatformEventData, type PlatformEventType, jobs } from '@lensforge/contracts';
import { type Context, newId } from '@lensforge/core';
import type { EntityManager } from 'typeorm';
import type { OutboxRow } from './outbox-row.js';
import { preparedStatement } from './prepared-statement.js';
import { outboxClaimMs, recordRunChanges } from './run-changes.js';
import { toJsonb } from './to-jsonb.js';

export interface EnqueueOptions {
  /** The id of the job in its queue: `<uuid>-g<generation>`. */
  jobId: string;
  availableAt?: Date;
  /** Publish the row right after the commit, if this process publishes jobs. */
  publishNow?: boolean;
  /** The id of the row, for a payload that contains it. */
  outboxId?: string;
}

export async function enqueue<P extends object>(
  ctx: Context,
  job: Job<P>,
  payload: P,
  { jobId, availableAt, publishNow = false, outboxId = newId() }: EnqueueOptions,
): Promise<OutboxRow> {
  const row: OutboxRow = {
    id: outboxId,
    job: job.name,
    jobId,
    payload: { ...payload } as Record<string, unknown>,
    requestId: ctx.requestId,
    traceparent: ctx.traceparent ?? null,
    availableAt: availableAt ?? ctx.now(),
    priority: null,
  };
  await ctx.db.query(
    `insert into outbox (id, job, job_id, payload, available_at, claimed_until, request_id, traceparent)
     values ($1, $2, $3, $4, coalesce($5::timestamptz, now()), now() + $6 * interval '1 ms', $7, $8)`,
    [
      row.id,
      row.job,
      jobId,
      toJsonb(row.payload),
      availableAt ?? null,
      publishNow ? outboxClaimMs(ctx) : 0,
      row.requestId,
      row.traceparent,
    ],
  );
  if (publishNow) recordRunChanges(ctx, { jobs: [row] });
  return row;
}

/**
 * Enqueues the fan-out of an event to the account's webhook endpoints, in the current transaction. The SQL function
 * `account_listens` makes an event without subscribers cost one index look-up and no row. The row has the event's id.
 */
export async function publishEvent<T extends PlatformEventType>(
  ctx: Context,
  accountId: string,
  type: T,
  data: PlatformEventData<T>,
): Promise<void> {
  const eventId = newId();
  await ctx.db.query(
    `insert into outbox (id, job, job_id, payload, request_id, traceparent)
     select $1, $2, $1::uuid || '-g0', jsonb_build_object('eventId', $1::uuid, 'type', $3::text, 'accountId', $4::uuid,
            'occurredAt', iso(now()), 'data', $5::jsonb), $6, $7
      where account_listens($4, $3)`,
    [eventId, jobs.fanOutPlatformEvent.name, type, accountId, toJsonb(data), ctx.requestId, ctx.traceparent ?? null],
  );
}

/** Claims due rows for `forMs`, oldest first. */
export async function claimOutbox(db: EntityManager, { most = 500, forMs = 5000 } = {}): Promise<OutboxRow[]> {
  const [rows] = await db.query<[OutboxRow[], number]>(
    `update outbox set claimed_until = now() + $2 * interval '1 ms', tries = tries + 1
      where id = any (array(select id from outbox where available_at <= now() and claimed_until < now()
                             order by available_at limit $1 for update skip locked))
      returning id, job, job_id as "jobId", payload, request_id as "requestId", traceparent, available_at as "availableAt",
                priority, tries`,
    [most, forMs],
  );
  return rows;
}

const deleteRows = preparedStatement('delete from outbox where id = any((select $1::uuid[])::uuid[])');

export async function deleteFromOutbox(db: EntityManager, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await db.query(deleteRows, [ids]);
}

/** Makes rows claimable again later, with a growing delay, unless their handler deletes them first. */
export async function postponeOutbox(db: EntityManager, ids: readonly string[], { forMs = 5000 } = {}): Promise<void> {
  if (ids.length === 0) return;
  await db.query(`update outbox set claimed_until = now() + (tries + 1) * $2 * interval '1 ms' where id = any($1)`, [
    ids,
    forMs,
  ]);
}

export interface OutboxLag {
  open: number;
  oldestSeconds: number;
}

/** The number of due rows and the age of the oldest. */
export async function outboxLag(db: EntityManager): Promise<OutboxLag> {
  const [lag] = await db.query<[OutboxLag]>(
    `select count(*)::int as open, coalesce(extract(epoch from now() - min(available_at)), 0)::float as "oldestSeconds"
       from outbox where available_at <= now()`,
  );
  return lag;
}
