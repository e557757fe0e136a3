import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LensBatchAccepted, parse } from '@lensforge/contracts';
import { newId } from '@lensforge/core';
import { grantTestCredits } from '@lensforge/credits/testing';
import { aToken, anAccount } from '@lensforge/identity/testing';
import { aPricedModel } from '@lensforge/models/testing';
import { until } from '@lensforge/testing';
import { type Gateway, aGateway } from './gateway.js';

const perMinute = 1200;
const backlog = 1100;
let gateway: Gateway;
const aTenant = async () => {
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
  it('answers 202 with an outcome for each item in order; a refused item does not affect others', async () => {
    const { token, accountId } = await aTenant();
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

  it('lets the first of the items with a key decide, also when it takes longer to accept', async () => {
    const { token, accountId } = await aTenant();
    await grantTestCredits(gateway.ctx, accountId, 10_000);
    const model = await aPricedModel(gateway.ctx);
    const keyed = { ...good, idempotencyKey: newId() };
    const items = [{ ...keyed, modelOverride: model.key }, keyed, keyed, { ...keyed, modelOverride: model.key }];
    const { items: answers } = parse(LensBatchAccepted, (await start(items, { token })).body.data);
    expect(answers.map(({ status, error }) => error?.code ?? status)).toEqual([
      ...['queued', 'idempotency_key_reused', 'idempotency_key_reused', 'queued'],
    ]);
  });

  it('answers 202 to a thousand runs; refuses items above the backlog limit, then whole batches with 429', async () => {
    const { token, accountId } = await aTenant();
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
    // Statements that ran at the same time may have given away some places twice.
    const taken = () => count('admitted_at is not null');
    await until(async () => (await taken()) >= 20, { what: 'all places taken' });
    expect(await taken()).toBeLessThan(100);

    const more = parse(LensBatchAccepted, (await start(many(150), { token })).body.data).items;
    // Concurrent statements may accept more runs, at most as many as one of them has.
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

  it('answers 429 to a batch above the rest of the rate limit, which then starts and counts nothing', async () => {
    const { token, accountId } = await aTenant();
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
  ])('answers 400 to %s', async (_, body) => {
    const { token } = await aTenant();
    const answer = await post('execute-batch', body, { token });
    expect([answer.status, answer.body.error?.code]).toEqual([400, 'invalid_request']);
  });

  it('answers 401, 403 and 404', async () => {
    expect((await start(many(1), { token: 'nonsense' })).status).toBe(401);
    const { value: token } = await aToken(gateway.ctx, { accountId: gateway.accountId, held: ['threads:write'] });
    expect((await start(many(1), { token })).status).toBe(403);
    expect((await start(many(1), { lensId: newId() })).status).toBe(404);
  });

  it('answers 413 above its own larger body limit, and 415 to another content type', async () => {
    const { token } = await aTenant();
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
    ['metadata that is too long', { metadata: { a: 'x'.repeat(8200) } }, 'metadata'],
    ['metadata that is not an object', { metadata: 'x' }, 'metadata'],
    ['a priority above the limit', { priority: 11 }, 'priority'],
    ['an invalid start time', { startAt: 'tomorrow' }, 'startAt'],
    ['a start time too far ahead', { startAt: '2999-01-01T00:00:00Z' }, '30 days'],
    ['a delay too long', { delaySeconds: 31 * 86_400 }, 'delaySeconds'],
    ['two times to start', { startAt: '2026-12-01T00:00:00Z', delaySeconds: 5 }, 'startAt and delaySeconds'],
    ['an expiry of zero', { expiresInSeconds: 0 }, 'expiresInSeconds'],
    ['a timeout above the limit', { timeoutSeconds: 601 }, 'timeoutSeconds'],
    ['a key that is too long', { concurrencyKey: 'x'.repeat(101) }, 'concurrencyKey'],
    ['an unknown strategy', { concurrencyKey: 'k', concurrencyStrategy: 'win' }, 'concurrencyStrategy'],
    ['a strategy without a key', { concurrencyStrategy: 'queue' }, 'concurrencyStrategy'],
  ])('answers 400 to %s', async (_, options, word) => {
    const { token } = await aTenant();
    const { status, body } = await post('execute', { ...good, ...options }, { token });
    expect([status, body.error?.code]).toEqual([400, 'invalid_request']);
    expect(body.error?.message).toContain(word);
  });

  it('answers 202 with status canceled for a run that its concurrency key cancels at once', async () => {
    const { token } = await aTenant();
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
