import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LensBatchAccepted, parse } from '@lensforge/contracts';
import { newId } from '@lensforge/core';
import { grantTestCredits } from '@lensforge/credits/testing';
import { aToken, anAccount } from '@lensforge/identity/testing';
import { aPricedModel } from '@lensforge/models/testing';
import { until } from '@lensforge/testing';
import type { Gateway } from './gateway.js';
import { aGateway } from './gateway.js';

const perMinute = 1200;
const backlog = 1100;
let gateway: Gateway;
const somebody = async () => {
  const { id: accountId } = await anAccount(gateway.ctx);
  const { value: token } = await aToken(gateway.ctx, { accountId });
  return { accountId, token };
};
const post = (
  what: 'execute' | 'execute-batch',
  body: unknown,
  { lensId = gateway.lensId, ...more }: { lensId?: string; token?: string; headers?: Record<string, string> } = {},
) => gateway.call('POST', `/v1/lenses/${lensId}/${what}`, { body, ...more });
const start = (items: unknown, more?: Parameters<typeof post>[2]) => post('execute-batch', { items }, more);
const good = { params: { Name: 'Ada' } };
const many = (count: number) => Array.from({ length: count }, () => good);

beforeAll(async () => {
  gateway = await aGateway({
    LENSFORGE_RATE_EXECUTE_PER_MINUTE: String(perMinute),
    LENSFORGE_BACKLOG_PER_ACCOUNT: String(backlog),
    LENSFORGE_RUNS_AT_ONCE_PER_ACCOUNT: '20',
  });
});
afterAll(() => gateway.stop());

describe('POST /v1/lenses/{lensId}/execute-batch', () => {
  it('202: answers for each item in its place, and none refuses another', async () => {
    const { token, accountId } = await somebody();
    await grantTestCredits(gateway.ctx, accountId, 10_000);
    const model = await aPricedModel(gateway.ctx);
    const keyed = { ...good, idempotencyKey: newId() };
    const items = [
      keyed,
      { params: {} },
      { ...good, surprise: 1 },
      keyed,
      { ...keyed, params: { Name: 'Bob' } },
      { ...good, modelOverride: 'nothing' },
      { ...good, tags: ['night'], priority: 3, modelOverride: model.key },
      { ...good, modelOverride: model.key, maxCredits: 1 },
      { ...good, delaySeconds: 60 },
      'no object',
    ];
    const refused = await start(items, { token });
    expect([refused.status, refused.body.error?.code]).toEqual([400, 'invalid_request']);

    const { status, body } = await start(items.slice(0, -1), { token });
    expect(status).toBe(202);
    const { batchId, items: answers } = parse(LensBatchAccepted, body.data);
    const outcomes = answers.map(({ runId, status: state, error }) => error?.code ?? (runId && state));
    expect(outcomes).toEqual([
      ...['queued', 'invalid_request', 'invalid_request', 'queued', 'idempotency_key_reused', 'invalid_request'],
      ...['queued', 'insufficient_credits', 'queued'],
    ]);
    expect(answers[3]?.runId).toBe(answers[0]?.runId);
    expect(answers[1]?.error).toEqual({
      code: 'invalid_request',
      message: 'params.Name is required',
      details: { issues: [{ path: 'params.Name', message: 'is required' }], missing: ['Name'] },
    });
    expect(answers[2]?.error?.message).toContain('surprise');
    expect(answers[7]?.error?.message).toMatch(/may cost \d+ credits; maxCredits allows 1/);
    const runs = await gateway.ctx.db.query<{ id: string }[]>('select id from runs where batch_id = $1 order by id', [
      batchId,
    ]);
    expect(runs.map(({ id }) => id)).toEqual([0, 6, 8].map((index) => answers[index]?.runId).sort());

    const again = await start([keyed], { token });
    expect(parse(LensBatchAccepted, again.body.data).items).toEqual([{ runId: answers[0]?.runId, status: 'queued' }]);
  });

  it('202, then 429: a thousand at once; what is more than the account may have is refused one by one, then as a whole', async () => {
    const { token, accountId } = await somebody();
    const { status, body, headers } = await start(many(1000), { token });
    expect([status, headers.get('ratelimit-remaining')]).toEqual([202, String(perMinute - 1000)]);
    const { batchId, items } = parse(LensBatchAccepted, body.data, { skipJsonRules: true });
    expect(new Set(items.map(({ runId }) => runId)).size).toBe(1000);
    const count = async (what: string) =>
      (
        await gateway.ctx.db.query<[{ n: number }]>(
          `select count(*)::int as n from runs where account_id = $1 and batch_id = $2 and ${what}`,
          [accountId, batchId],
        )
      )[0].n;
    expect(await count('true')).toBe(1000);
    await until(async () => (await count('admitted_at is not null')) === 20, { what: 'all places taken' });

    const more = parse(LensBatchAccepted, (await start(many(150), { token })).body.data).items;
    // Statements that count at the same moment may let some more in, at most as many as one of them holds.
    expect(more.filter(({ runId }) => runId).length).toBeGreaterThanOrEqual(backlog - 1000);
    expect(more.flatMap(({ error }) => error?.code ?? []).filter((code) => code !== 'rate_limited')).toEqual([]);
    for (const refused of [await start(many(5), { token }), await post('execute', good, { token })]) {
      expect([refused.status, refused.body.error]).toEqual([
        429,
        expect.objectContaining({ code: 'rate_limited', message: expect.stringContaining(`${backlog} runs`) }),
      ]);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    }
  });

  it('429: counts as so many executions; one that is more than what is left starts nothing and uses up nothing', async () => {
    const { token, accountId } = await somebody();
    await start(many(300), { token });
    const refused = await start(many(901), { token });
    expect([refused.status, refused.body.error?.code]).toEqual([429, 'rate_limited']);
    expect(refused.body.error?.message).toContain('901');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(
      await gateway.ctx.db.query('select count(*)::int as n from runs where account_id = $1', [accountId]),
    ).toEqual([{ n: 300 }]);
    expect((await start(many(100), { token })).status).toBe(202);
    expect((await post('execute', good, { token })).status).toBe(202);
  });

  it.each([
    ['no items', {}],
    ['an empty list', { items: [] }],
    ['more than a thousand', { items: many(1001) }],
    ['something else', { items: 'x' }],
    ['an unknown member', { items: many(1), surprise: 1 }],
  ])('400: %s', async (_, body) => {
    const { token } = await somebody();
    const answer = await post('execute-batch', body, { token });
    expect([answer.status, answer.body.error?.code]).toEqual([400, 'invalid_request']);
  });

  it('401, 403, 404', async () => {
    expect((await start(many(1), { token: 'nonsense' })).status).toBe(401);
    const { value: token } = await aToken(gateway.ctx, { accountId: gateway.accountId, held: ['threads:write'] });
    expect((await start(many(1), { token })).status).toBe(403);
    expect((await start(many(1), { lensId: newId() })).status).toBe(404);
  });

  it('413: a body over its own limit, which is larger than that of others; 415: another type', async () => {
    const { token } = await somebody();
    const long = { params: { Name: 'x'.repeat(400_000) } };
    expect((await start([long, long], { token })).status).toBe(202);
    expect(
      (
        await start(
          Array.from({ length: 12 }, () => long),
          { token },
        )
      ).status,
    ).toBe(413);
    expect((await post('execute-batch', {}, { token, headers: { 'content-type': 'text/plain' } })).status).toBe(415);
  });
});

describe('options of POST /v1/lenses/{lensId}/execute', () => {
  it.each([
    ['too many tags', { tags: Array.from({ length: 21 }, (_, index) => `t${index}`) }, 'tags'],
    ['a tag that is too long', { tags: ['x'.repeat(51)] }, 'tags'],
    ['notes that are too long', { metadata: { a: 'x'.repeat(8200) } }, 'metadata'],
    ['notes that are no object', { metadata: 'x' }, 'metadata'],
    ['a priority beyond', { priority: 11 }, 'priority'],
    ['no moment', { startAt: 'tomorrow' }, 'startAt'],
    ['a moment too far ahead', { startAt: '2999-01-01T00:00:00Z' }, '30 days'],
    ['a delay too long', { delaySeconds: 31 * 86_400 }, 'delaySeconds'],
    ['two times to start', { startAt: '2026-12-01T00:00:00Z', delaySeconds: 5 }, 'startAt and delaySeconds'],
    ['no time to wait', { expiresInSeconds: 0 }, 'expiresInSeconds'],
    ['more time than there is', { timeoutSeconds: 601 }, 'timeoutSeconds'],
    ['a key that is too long', { concurrencyKey: 'x'.repeat(101) }, 'concurrencyKey'],
    ['an unknown strategy', { concurrencyKey: 'k', concurrencyStrategy: 'win' }, 'concurrencyStrategy'],
    ['a strategy without a key', { concurrencyStrategy: 'queue' }, 'concurrencyStrategy'],
  ])('400: %s', async (_, options, word) => {
    const { token } = await somebody();
    const { status, body } = await post('execute', { ...good, ...options }, { token });
    expect([status, body.error?.code]).toEqual([400, 'invalid_request']);
    expect(body.error?.message).toContain(word);
  });

  it('202: a run of a key that is canceled at once says so', async () => {
    const { token } = await somebody();
    const options = { concurrencyKey: 'k', concurrencyStrategy: 'cancel-newest' };
    const answers = [
      await post('execute', { ...good, ...options }, { token }),
      await post('execute', { ...good, ...options }, { token }),
    ];
    expect(answers.map(({ status, body }) => [status, body.data?.['status']])).toEqual([
      [202, 'queued'],
      [202, 'canceled'],
    ]);
  });
});
