import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { FailedRunsFilter } from '@lensforge/contracts';
import { type Context, newId } from '@lensforge/core';
import { type RunsDatabase, openRunsDatabase } from '../../test/runs-database.js';
import { countFailedRuns, endRun, listFailedRuns, listRuns, retryForAccounts, retryRun } from '../index.js';
import { aPromptRun, aRun, aStoredRun } from '../testing.js';

let database: RunsDatabase;
let operator: Context;
let one: Context;
let other: Context;
beforeAll(async () => {
  database = await openRunsDatabase();
  operator = await database.anAccount();
});
beforeEach(async () => {
  await database.source.query('truncate runs, idempotency_keys');
  [one, other] = [await database.anAccount(200), await database.anAccount(200)];
});
afterAll(() => database.close());

const hourMs = 3_600_000;
const lastHour = (more: Partial<FailedRunsFilter> = {}): FailedRunsFilter => ({
  createdAfter: new Date(Date.now() - hourMs).toISOString(),
  createdBefore: new Date(Date.now() + 1000).toISOString(),
  ...more,
});
async function failed(who: Context, errorCode = 'PROVIDER_FAILED', accepted = aRun(who)): Promise<string> {
  const { runId } = await accepted;
  await endRun(database.platform, { runId, from: 'queued', status: 'timed_out', reason: 'test', errorCode });
  return runId;
}
const found = async (filter: Partial<FailedRunsFilter> = {}, limit = 100): Promise<string[]> =>
  (await listFailedRuns(operator, lastHour(filter), { limit })).map(({ runId }) => runId);
const parts = { countRun: () => Promise.resolve(undefined), onFault: () => undefined };
const retriesOf = async (who: Context) =>
  (await listRuns(who, { limit: 100 })).items.filter(({ parentRunId }) => parentRunId !== null);

describe('listFailedRuns and countFailedRuns', () => {
  it('have the failed runs of all accounts, the newest first, by error and model', async () => {
    const runs = [await failed(one), await failed(other), await failed(one, 'WORKER_LOST')];
    await aRun(one);
    await aStoredRun(one, { status: 'succeeded' });
    await aStoredRun(one, { status: 'canceled' });
    expect(await found()).toEqual(runs.toReversed());
    const { groups, ...totals } = await countFailedRuns(operator, lastHour());
    expect(totals).toEqual({ runs: 3, accounts: 2, credits: 0 });
    expect(groups).toEqual([
      { errorCode: 'PROVIDER_FAILED', model: expect.stringMatching(/^\w+\/\w+/), runs: 2 },
      { errorCode: 'WORKER_LOST', model: groups[0]?.model, runs: 1 },
    ]);
  });

  it('filter by each member, and page', async () => {
    const first = await failed(one, 'WORKER_LOST');
    const second = await failed(other, 'PROVIDER_LIMITED', aRun(other, { modelOverride: database.pricey.key }));
    const { providerKey, key } = database.pricey;
    const [{ handle, lensId }] = await database.source.query<[{ handle: string; lensId: string }]>(
      'select a.handle, r.lens_id as "lensId" from runs r join accounts a on a.id = r.account_id where r.id = $1',
      [first],
    );
    expect(await found({ errorCode: 'WORKER_LOST' })).toEqual([first]);
    expect(await found({ account: handle.toUpperCase() })).toEqual([first]);
    expect(await found({ account: other.actor.accountId })).toEqual([second]);
    expect(await found({ account: 'unknown-handle' })).toEqual([]);
    expect(await found({ lensId })).toEqual([first]);
    expect(await found({ workflowId: newId() })).toEqual([]);
    expect(await found({ model: `${providerKey}/${key}` })).toEqual([second]);
    expect(await found({ provider: providerKey, model: 'other/model' })).toEqual([]);
    expect(await found({ provider: providerKey })).toContain(second);
    expect((await countFailedRuns(operator, lastHour({ errorCode: 'PROVIDER_LIMITED' }))).credits).toBeGreaterThan(0);
    expect(await found({}, 1)).toEqual([second]);
    const rest = await listFailedRuns(operator, lastHour(), { limit: 1, below: second });
    expect(rest).toEqual([{ runId: first, accountId: one.actor.accountId }]);
  });

  it('leave out runs that a retry does not help, and other times', async () => {
    const run = await failed(one);
    const closed = await database.anAccount();
    await failed(closed);
    await database.source.query('update accounts set closed_at = now() where id = $1', [closed.actor.accountId]);
    for (const kind of ['tracking', 'node']) {
      await database.set(await aStoredRun(one, { status: 'failed' }), `cause = '{"kind": "${kind}"}'`);
    }
    await database.set(await aStoredRun(one, { status: 'failed' }), `funding_source = 'user_byok_local'`);
    await database.set(await aStoredRun(one, { status: 'failed' }), `created_at = now() - interval '61 minutes'`);
    const retried = await failed(one);
    await retryRun(one, { runId: retried });
    expect(await found()).toEqual([run]);
    expect(await countFailedRuns(operator, lastHour())).toMatchObject({ runs: 1, accounts: 1 });
  });

  it('refuse an empty range and one of more than a day', async () => {
    const filter = lastHour();
    const before = { ...filter, createdBefore: filter.createdAfter };
    await expect(listFailedRuns(operator, before, { limit: 1 })).rejects.toThrow('must be later than createdAfter');
    const long = { ...filter, createdAfter: new Date(Date.now() - 25 * hourMs).toISOString() };
    await expect(countFailedRuns(operator, long)).rejects.toThrow('at most 24 hours');
  });
});

describe('retryForAccounts', () => {
  it('starts one run for each, in the account of the failed one, even if two requests come together', async () => {
    const runs = [await failed(one), await failed(other), await failed(one, 'X', aPromptRun(one))];
    const page = await listFailedRuns(operator, lastHour(), { limit: 100 });
    const replies = await Promise.all([1, 2].map(() => retryForAccounts(operator, page, parts)));
    expect(replies.map(({ retried }) => retried).reduce((sum, each) => sum + each)).toBe(3);
    expect(replies.flatMap(({ refused }) => refused)).toEqual([]);
    const made = [...(await retriesOf(one)), ...(await retriesOf(other))];
    expect(made.map(({ parentRunId }) => parentRunId).toSorted()).toEqual(runs.toSorted());
    expect(await retriesOf(operator)).toEqual([]);
    expect(await found()).toEqual([]);
    expect(await retryForAccounts(operator, page, parts)).toEqual({ retried: 0, refused: [] });
  });

  it('charges each account by its own rules, and counts what is refused by its code', async () => {
    const poor = await database.anAccount(150);
    const dear = { modelOverride: database.pricey.key };
    for (let n = 0; n < 2; n += 1) await failed(poor, 'PROVIDER_FAILED', aRun(poor, dear));
    await failed(one);
    const page = await listFailedRuns(operator, lastHour(), { limit: 100 });
    const limited = new Set([one.actor.accountId]);
    const countRun = (accountId: string) =>
      Promise.resolve(limited.has(accountId) ? { limit: 1, retryAfter: 30 } : undefined);
    const { retried, refused } = await retryForAccounts(operator, page, { ...parts, countRun });
    expect(retried).toBe(1);
    expect(refused.toSorted((a, b) => (a.code < b.code ? -1 : 1))).toEqual([
      { code: 'INSUFFICIENT_CREDITS', runs: 1 },
      { code: 'RATE_LIMITED', runs: 1 },
    ]);
    expect((await retriesOf(poor)).length).toBe(1);
    limited.clear();
    expect(await retryForAccounts(operator, page, { ...parts, countRun })).toMatchObject({ retried: 1 });
    expect(await database.faults()).toEqual([]);
  });
});
