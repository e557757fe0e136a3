import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { jobs } from '@lensforge/contracts';
import { type Context, newId } from '@lensforge/core';
import { aContext } from '@lensforge/testing';
import type { DataSource } from 'typeorm';
import {
  publishEvent,
  claimOutbox,
  enqueue,
  inTransaction,
  publishRunChanges,
  outboxLag,
  deleteFromOutbox,
} from './index.js';
import { type TestDatabase, openTestDatabase } from './testing.js';

let database: TestDatabase;
let source: DataSource;
let ctx: Context;

beforeAll(async () => {
  database = await openTestDatabase();
  ({ source } = database);
  ctx = { ...aContext(source.manager), traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' };
});
afterEach(() => source.query('truncate outbox'));
afterAll(() => database.close());

async function enqueueRun(options: { availableAt?: Date; publishNow?: boolean } = {}) {
  const runId = newId();
  return enqueue(ctx, jobs.executeRun, { runId, generation: 3 }, { jobId: `${runId}-g3`, ...options });
}
const claim = (options?: { most?: number; forMs?: number }) => claimOutbox(source.manager, options);
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000);
const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id).sort();

describe('the outbox', () => {
  it('returns a row as it was enqueued, with its request id and traceparent', async () => {
    const row = await enqueueRun();
    const [claimed] = await claim();
    expect(claimed).toEqual({ ...row, availableAt: expect.any(Date), tries: 1 });
    expect(claimed).toMatchObject({
      job: 'run.execute',
      payload: { runId: expect.any(String), generation: 3 },
      requestId: ctx.requestId,
      traceparent: ctx.traceparent,
    });
  });

  it('has no row of a transaction that was rolled back', async () => {
    const refused = inTransaction(ctx, async (ctx) => {
      await enqueue(ctx, jobs.executeRun, { runId: newId(), generation: 0 }, { jobId: 'x' });
      throw new Error('no');
    });
    await expect(refused).rejects.toThrow('no');
    expect(await claim()).toEqual([]);
  });

  it('gives each row to one of several concurrent claims', async () => {
    const rows = await Promise.all(Array.from({ length: 200 }, () => enqueueRun()));
    const claims = await Promise.all(Array.from({ length: 8 }, () => claim({ most: 30 })));
    const taken = claims.flat();
    expect(new Set(idsOf(taken)).size).toBe(taken.length);
    for (const batch of claims) expect(batch.length).toBeLessThanOrEqual(30);
    const rest = [...(await claim()), ...(await claim())];
    expect(idsOf([...taken, ...rest])).toEqual(idsOf(rows));
  });

  it('returns a row again when its claim expired', async () => {
    const row = await enqueueRun();
    expect(await claim({ forMs: 60_000 })).toHaveLength(1);
    expect(await claim()).toEqual([]);
    await source.query(`update outbox set claimed_until = now() - interval '1 s'`);
    expect(idsOf(await claim())).toEqual([row.id]);
    expect(await source.query('select tries from outbox')).toEqual([{ tries: 2 }]);
  });

  it('deletes exactly the given rows', async () => {
    const [done, open] = [await enqueueRun(), await enqueueRun()];
    await deleteFromOutbox(source.manager, [done.id, newId()]);
    await deleteFromOutbox(source.manager, []);
    expect(idsOf(await claim())).toEqual([open.id]);
  });

  it('does not return rows that are not due, or that their process publishes, until 3 s have passed', async () => {
    const published: string[] = [];
    publishRunChanges(source, ({ jobs = [] }) => published.push(...idsOf(jobs)));
    const own = await enqueueRun({ publishNow: true });
    expect(published).toEqual([own.id]);
    await enqueueRun({ availableAt: inSeconds(30) });
    const due = await enqueueRun({ availableAt: inSeconds(-30) });
    expect(idsOf(await claim())).toEqual([due.id]);
    await source.query(`update outbox set claimed_until = claimed_until - interval '3 s'`);
    expect(idsOf(await claim())).toEqual([own.id]);
  });

  it('returns the oldest rows first', async () => {
    const rows = [];
    for (const seconds of [-3, -9, -6]) rows.push(await enqueueRun({ availableAt: inSeconds(seconds) }));
    expect(idsOf(await claim({ most: 2 }))).toEqual(idsOf([rows[1]!, rows[2]!]));
  });

  it('reports the number of due rows and the age of the oldest', async () => {
    expect(await outboxLag(source.manager)).toEqual({ open: 0, oldestSeconds: 0 });
    await enqueueRun({ availableAt: inSeconds(60) });
    expect(await outboxLag(source.manager)).toEqual({ open: 0, oldestSeconds: 0 });
    await enqueueRun({ availableAt: inSeconds(-90) });
    await enqueueRun();
    const { open, oldestSeconds } = await outboxLag(source.manager);
    expect(open).toBe(2);
    expect(Math.round(oldestSeconds / 10)).toBe(9);
  });
});

describe('publishEvent', () => {
  const subscriberOf = async (events: string[]) => {
    const accountId = newId();
    await source.query(`insert into accounts (id, kind, handle, display_name) values ($1, 'person', $2, 'x')`, [
      accountId,
      `a-${accountId}`,
    ]);
    await source.query(
      `insert into webhook_endpoints (id, account_id, url, events, secret) values ($1, $2, 'https://example.org', $3, '')`,
      [newId(), accountId, events],
    );
    return accountId;
  };
  const failure = () => ({
    runId: newId(),
    workflowId: null,
    error: { code: 'X', message: 'a\u0000b\ud83e' },
    lensId: null,
    tags: [],
    metadata: null,
  });

  it('writes a row only when an endpoint subscribes to the event', async () => {
    const data = failure();
    const accountId = await subscriberOf(['run.failed']);
    await publishEvent(ctx, newId(), 'run.failed', data);
    await publishEvent(ctx, await subscriberOf(['run.completed']), 'run.failed', data);
    await publishEvent(ctx, accountId, 'run.failed', data);
    const [row, ...others] = await claim();
    expect(others).toEqual([]);
    expect(row).toMatchObject({
      job: 'platform-event.fan-out',
      payload: { type: 'run.failed', accountId, data: { ...data, error: { code: 'X', message: 'a\ufffdb\ufffd' } } },
    });
    const { eventId, occurredAt } = row?.payload as { eventId: string; occurredAt: string };
    expect(row?.jobId).toBe(`${eventId}-g0`);
    expect(new Date(occurredAt).toISOString()).toBe(occurredAt);
  });
});
