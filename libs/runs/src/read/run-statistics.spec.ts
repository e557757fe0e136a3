import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RunStatus, RunStatisticsQuery, Scope } from '@lensforge/contracts';
import { type Context, newId } from '@lensforge/core';
import { createLens } from '@lensforge/lenses';
import { aContext } from '@lensforge/testing';
import { type RunsDatabase, openRunsDatabase } from '../../test/runs-database.js';
import { readAllRunStatistics, readLensMessages, readRunInput, readRunStatistics } from '../index.js';
import { aRun, aStoredRun } from '../testing.js';

let database: RunsDatabase;
let ctx: Context;
const lens = newId();
const workflow = newId();
/** The beginning of an hour of the past, whose runs have ids of that time. */
const begin = Math.floor((Date.now() - 10 * 3_600_000) / 3_600_000) * 3_600_000;
const time = (minute: number): string => new Date(begin + minute * 60_000).toISOString();

interface Stored {
  minute: number;
  status: RunStatus;
  seconds?: number;
  credits?: number;
  lensId?: string;
  workflowId?: string;
  tags?: string[];
}

async function store({ minute, seconds = 0, credits = 0, ...traits }: Stored, who = ctx): Promise<void> {
  const id = await aStoredRun(who, traits);
  await database.source.query(
    `update runs set id = overlay(id::text placing left(first_id_of($2)::text, 13) from 1 for 13)::uuid, created_at = $2,
            started_at = case when completed_at is not null then $2::timestamptz end,
            completed_at = case when completed_at is not null then $2::timestamptz + $3 * interval '1 second' end, credit_cost = $4
      where id = $1`,
    [id, time(minute), seconds, credits],
  );
}

beforeAll(async () => {
  database = await openRunsDatabase();
  ctx = await database.anAccount();
  for (const seconds of [1, 2, 3, 4])
    await store({ minute: 5, status: 'succeeded', seconds, credits: 3, lensId: lens });
  await store({ minute: 30, status: 'failed', seconds: 100, lensId: lens });
  await store({ minute: 59, status: 'timed_out', seconds: 100, lensId: lens });
  await store({ minute: 60, status: 'canceled', seconds: 7, credits: 1, workflowId: workflow });
  await store({ minute: 125, status: 'running', lensId: lens });
  await store({ minute: 130, status: 'queued', workflowId: workflow });
  await store({ minute: 130, status: 'succeeded', seconds: 5, lensId: lens }, await database.anAccount());
});
afterAll(() => database.close());

const read = (query: Partial<RunStatisticsQuery> = {}, who = ctx) =>
  readRunStatistics(who, { from: time(0), to: time(180), interval: 'hour', ...query });
const noDetails = { cachedInput: 0, cacheWrite: 0, reasoning: 0, creditsSaved: 0 };
const noTokens = { tokenInput: 0, tokenOutput: 0, tokenDetails: noDetails };
const none = { queued: 0, running: 0, succeeded: 0, failed: 0, canceled: 0, timedOut: 0, credits: 0, ...noTokens };

describe('readRunStatistics', () => {
  it('counts own runs by status and hour, with their times and credits', async () => {
    expect(await read()).toEqual({
      from: time(0),
      to: time(180),
      interval: 'hour',
      truncated: false,
      buckets: [
        { ...none, at: time(0), succeeded: 4, failed: 1, timedOut: 1, p50Ms: 3500, p95Ms: 100_000, credits: 12 },
        { ...none, at: time(60), canceled: 1, p50Ms: 7000, p95Ms: 7000, credits: 1 },
        { ...none, at: time(120), queued: 1, running: 1, p50Ms: null, p95Ms: null },
      ],
    });
  });

  it('sums the tokens by kind', async () => {
    const other = await database.anAccount();
    for (const details of [
      { cachedInput: 9, cacheWrite: 1, reasoning: 2, creditsSaved: -3 },
      { cachedInput: 1 },
      null,
    ]) {
      await store({ minute: 5, status: 'succeeded' }, other);
      await database.source.query(
        `update runs set token_input = 10, token_output = 4, token_details = $2
          where account_id = $1 and token_input is null`,
        [other.actor.accountId, details],
      );
    }
    const tokenDetails = { cachedInput: 10, cacheWrite: 1, reasoning: 2, creditsSaved: -3 };
    expect((await read({}, other)).buckets[0]).toMatchObject({ tokenInput: 30, tokenOutput: 12, tokenDetails });
  });

  it('has a bucket for each interval, from the start of the first one', async () => {
    const { buckets, from } = await read({ from: time(59.5), to: time(61), interval: 'minute' });
    expect(from).toBe(time(59));
    expect(buckets).toMatchObject([
      { at: time(59), timedOut: 1 },
      { at: time(60), canceled: 1 },
    ]);
    const days = await read({ interval: 'day' });
    expect(days.buckets.reduce((sum, { succeeded }) => sum + succeeded, 0)).toBe(4);
    expect(days.buckets[0]?.at).toMatch(/T00:00:00/);
  });

  it('counts those of a lens, a workflow or a kind alone', async () => {
    const open = async (query: Partial<RunStatisticsQuery>) => (await read(query)).buckets[2];
    expect(await open({ lensId: lens })).toMatchObject({ running: 1, queued: 0 });
    expect(await open({ workflowId: workflow })).toMatchObject({ running: 0, queued: 1 });
    expect(await open({ kind: 'workflow' })).toMatchObject({ running: 0, queued: 1 });
    expect((await read({ lensId: lens })).buckets[0]).toMatchObject({ succeeded: 4, failed: 1, timedOut: 1 });
  });

  it('counts the kinds of runs that the scopes of the caller allow', async () => {
    const as = (...held: Scope[]) => aContext(ctx.db, { accountId: ctx.actor.accountId, held });
    expect((await read({}, as('lenses:read'))).buckets[2]).toMatchObject({ running: 1, queued: 0 });
    await expect(read({ kind: 'workflow' }, as('lenses:read'))).rejects.toMatchObject({ code: 'INSUFFICIENT_SCOPE' });
    await expect(read({}, as('threads:read'))).rejects.toMatchObject({ code: 'INSUFFICIENT_SCOPE' });
  });

  it('refuses a range that ends before it begins, or has too many buckets', async () => {
    await expect(read({ to: time(-60) })).rejects.toMatchObject({
      code: 'BAD_INPUT',
      details: { issues: [{ path: 'to' }] },
    });
    await expect(read({ from: time(-1 - 1500), to: time(0), interval: 'minute' })).rejects.toMatchObject({
      details: { issues: [{ path: 'from', message: expect.stringContaining('1501 buckets') }] },
    });
    await expect(read({ from: '0001-01-01T00:00:00Z', interval: 'day' })).rejects.toMatchObject({ code: 'BAD_INPUT' });
  });
});

describe('readAllRunStatistics', () => {
  it('counts the runs of all accounts', async () => {
    const { buckets } = await readAllRunStatistics(ctx, { from: time(0), to: time(180), interval: 'hour' });
    expect(buckets[2]).toMatchObject({ running: 1, queued: 1, succeeded: 1, p50Ms: 5000 });
  });
});

describe('readRunInput', () => {
  it('returns the parameters of a run to its account', async () => {
    const { runId } = await aRun(ctx, { params: { Name: 'Grace' } });
    await database.source.query(`update runs set traceparent = $2 where id = $1`, [
      runId,
      '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    ]);
    expect(await readRunInput(ctx, runId)).toMatchObject({
      runId,
      params: { Name: 'Grace' },
      priority: 0,
      traceId: '0af7651916cd43dd8448eb211c80319c',
    });
    await expect(readRunInput(await database.anAccount(), runId)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const weak = aContext(ctx.db, { accountId: ctx.actor.accountId, held: ['workflows:read'] });
    await expect(readRunInput(weak, runId)).rejects.toMatchObject({ code: 'INSUFFICIENT_SCOPE' });
  });

  it('tells which messages the lens made of them, while the lens may be read', async () => {
    const reader = await database.anAccount();
    const { lens, version } = await createLens(ctx, {
      title: 'Answers',
      messages: [
        { role: 'system', text: 'You know [[Topic]].' },
        { role: 'user', text: 'Answer [[Name]] in one plain sentence that anyone can read.' },
      ],
      visibility: 'public',
    });
    const runId = await aStoredRun(reader, { lensId: lens.id });
    await database.source.query(`update runs set params = $2, lens_version_id = $3 where id = $1`, [
      runId,
      { Name: 'Grace', Topic: 'ships' },
      version.id,
    ]);
    expect(await readLensMessages(reader, runId)).toEqual([
      { role: 'system', text: 'You know ships.' },
      { role: 'user', text: 'Answer Grace in one plain sentence that anyone can read.' },
    ]);
    await database.source.query(`update lenses set visibility = 'private' where id = $1`, [lens.id]);
    expect(await readLensMessages(reader, runId)).toBeNull();
    expect(await readLensMessages(reader, await aStoredRun(reader, { kind: 'judging' }))).toBeNull();
  });

  it('leaves out what a judgement was given', async () => {
    const judging = await aStoredRun(ctx, { kind: 'judging' });
    await database.source.query(`update runs set params = '{"answers": ["secret"]}' where id = $1`, [judging]);
    expect(await readRunInput(ctx, judging)).toMatchObject({ params: null, traceId: null });
  });
});
