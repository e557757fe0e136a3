import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PlatformExecutionAccepted, PlatformRunStatus, parse } from '@lensforge/contracts';
import { newId } from '@lensforge/core';
import { aToken, actingAs, anAccount } from '@lensforge/identity/testing';
import { aLens } from '@lensforge/lenses/testing';
import { aPricedModel } from '@lensforge/models/testing';
import { until } from '@lensforge/testing';
import { grantTestCredits } from '@lensforge/credits/testing';
import { type Gateway, aGateway } from './gateway.js';

let gateway: Gateway;
const execute = (
  body: unknown,
  lensId = gateway.lensId,
  more: { token?: string; headers?: Record<string, string> } = {},
) => gateway.call('POST', `/v1/lenses/${lensId}/execute`, { body, ...more });

beforeAll(async () => {
  gateway = await aGateway({ LENSFORGE_RATE_EXECUTE_PER_MINUTE: '100000' });
});
afterAll(() => gateway.stop());

describe('POST /v1/lenses/{lensId}/execute', () => {
  it('answers 202 with a queued run that can be read at once', async () => {
    const { status, body, headers } = await execute({ params: { name: 'Ada' } });
    expect(status).toBe(202);
    expect(Object.keys(body).sort()).toEqual(['data', 'error', 'meta']);
    expect(body.error).toBeNull();
    expect(body.meta).toEqual({ requestId: headers.get('x-request-id'), durationMs: expect.any(Number) });
    const accepted = parse(PlatformExecutionAccepted, body.data);
    expect(accepted).toEqual({ runId: expect.any(String), status: 'queued', workflowId: null });

    const run = await gateway.call('GET', `/v1/runs/${accepted.runId}`);
    expect(run.status).toBe(200);
    expect(parse(PlatformRunStatus, run.body.data)).toMatchObject({
      id: accepted.runId,
      requestId: headers.get('x-request-id'),
      status: 'queued',
      providerKey: 'offline',
      modelKey: 'echo',
      billingStatus: 'none',
      startedAt: null,
      completedAt: null,
      artifacts: [],
    });
  });

  it('answers 202 and empties the outbox once Redis has the job', async () => {
    const { status } = await execute({ params: { Name: 'Ada' } });
    expect(status).toBe(202);
    const open = async (): Promise<number> => {
      const rows = await gateway.ctx.db.query<{ n: number }[]>('select count(*)::int as n from outbox');
      return rows[0]?.n ?? -1;
    };
    await expect(until(async () => (await open()) === 0, { what: 'an empty outbox' })).resolves.toBe(true);
  });

  it('answers 202 with the same run to 100 concurrent requests with one idempotency key', async () => {
    const body = { params: { Name: 'Ada', Tone: 'warm' }, idempotencyKey: newId() };
    const answers = await Promise.all(Array.from({ length: 100 }, () => execute(body)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
    expect(new Set(answers.map(({ body: { data } }) => data?.['runId'])).size).toBe(1);
    const reordered = await execute({ idempotencyKey: body.idempotencyKey, params: { Tone: 'warm', Name: 'Ada' } });
    expect(reordered.body.data?.['runId']).toBe(answers[0]?.body.data?.['runId']);
  });

  it('answers 400 idempotency_key_reused to another request with a used key', async () => {
    const idempotencyKey = newId();
    await execute({ params: { Name: 'Ada' }, idempotencyKey });
    const { status, body } = await execute({ params: { Name: 'Bob' }, idempotencyKey });
    expect(status).toBe(400);
    expect(body.error?.code).toBe('idempotency_key_reused');
    expect(body).not.toHaveProperty('data');
  });

  it.each([
    ['no body', undefined, 'body'],
    ['missing params', {}, 'params'],
    ['params that are not an object', { params: 'x' }, 'params'],
    ['an unknown member', { params: {}, surprise: 1 }, 'surprise'],
    ['an unknown funding source', { params: { Name: 'A' }, fundingSource: 'rich_uncle' }, 'fundingSource'],
    ['BYOK without a key', { params: { Name: 'A' }, fundingSource: 'user_byok_cloud' }, 'byokKeyRefId'],
    ['a lens without a sponsor', { params: { Name: 'A' }, fundingSource: 'sponsored' }, 'sponsor'],
    ['a missing required parameter', { params: { Tone: 'warm' } }, 'Name'],
    ['an unknown provider', { params: { Name: 'A' }, providerOverride: 'nobody' }, 'offline'],
    ['an unknown model', { params: { Name: 'A' }, modelOverride: 'nothing' }, 'offline/echo'],
    ['a model without a key', { params: { Name: 'A' }, modelOverride: 'gpt-6-sol' }, 'no key'],
    ['an invalid schema', { params: { Name: 'A' }, outputSchema: { type: 'poem' } }, 'outputSchema.type'],
    ['a temperature too high', { params: { Name: 'A' }, sampling: { temperature: 3 } }, 'sampling.temperature'],
    [
      'an image of another media type',
      { params: { Name: { image: { mediaType: 'text/html', data: 'AAAA' } } } },
      'mediaType',
    ],
    [
      'what no model that can be used is capable of',
      { params: { Name: { image: { mediaType: 'image/png', url: 'https://a.test/x.png' } } } },
      'image_urls',
    ],
  ])('answers 400 invalid_request to %s', async (_, body, word) => {
    const answer = await execute(body);
    expect(answer.status).toBe(400);
    expect(answer.body.error?.code).toBe('invalid_request');
    expect(JSON.stringify(answer.body.error)).toContain(word);
  });

  it('answers 400 to a lens id that is not a UUID', async () => {
    expect((await execute({ params: {} }, 'no-uuid')).status).toBe(400);
  });

  it('answers 400 to invalid JSON and 415 to another content type', async () => {
    const broken = await gateway.call('POST', `/v1/lenses/${gateway.lensId}/execute`, { body: '{"params":' });
    expect([broken.status, broken.body.error?.code]).toEqual([400, 'invalid_request']);
    const other = await execute({ params: {} }, gateway.lensId, { headers: { 'content-type': 'text/plain' } });
    expect([other.status, other.body.error?.code]).toEqual([415, 'unsupported_media_type']);
  });

  it('answers 413 to a body over the limit', async () => {
    const { status, body } = await execute({ params: { Name: 'x'.repeat(300_000) } });
    expect([status, body.error?.code]).toEqual([413, 'payload_too_large']);
  });

  it('answers 401 without a token and to an unknown or revoked one', async () => {
    for (const token of ['', 'nonsense', `lf_dev_${'0'.repeat(64)}`]) {
      const { status, body, headers } = await execute({ params: {} }, gateway.lensId, { token });
      expect([status, body.error?.code]).toEqual([401, 'unauthorized']);
      expect(headers.get('www-authenticate')).toMatch(/^Bearer/);
    }
  });

  it('answers 403 insufficient_scope to a token without lenses:read', async () => {
    const { value: token } = await aToken(gateway.ctx, { accountId: gateway.accountId, held: ['threads:write'] });
    const { status, body, headers } = await execute({ params: {} }, gateway.lensId, { token });
    expect([status, body.error?.code]).toEqual([403, 'insufficient_scope']);
    expect(headers.get('www-authenticate')).toBe('Bearer error="insufficient_scope", scope="lenses:read"');
  });

  it('answers the same 404 to an unknown lens and to a private one of another account', async () => {
    const { id } = await anAccount(gateway.ctx);
    const secret = await aLens(actingAs(gateway.ctx, id), { visibility: 'private' });
    const missing = newId();
    const answers = [await execute({ params: {} }, secret.id), await execute({ params: {} }, missing)];
    expect(answers.map(({ status }) => status)).toEqual([404, 404]);
    const words = answers.map(({ body }) => body.error?.message.replaceAll(secret.id, 'ID').replaceAll(missing, 'ID'));
    expect(words[0]).toBe(words[1]);
  });

  it('answers 400 insufficient_credits to a model above the balance, and writes nothing', async () => {
    const model = await aPricedModel(gateway.ctx);
    const request = { params: { Name: 'Ada' }, modelOverride: model.key, idempotencyKey: newId() };
    const before = await execute(request);
    expect([before.status, before.body.error?.code]).toEqual([400, 'insufficient_credits']);
    await grantTestCredits(gateway.ctx, gateway.accountId, 10_000);
    const after = await execute(request);
    expect(after.status).toBe(202);
    const run = await gateway.call('GET', `/v1/runs/${String(after.body.data?.['runId'])}`);
    expect(run.body.data).toMatchObject({ billingStatus: 'reserved', modelKey: model.key });
  });
});

describe('GET /v1/models', () => {
  const list = (query = '', more = {}) => gateway.call('GET', `/v1/models${query}`, more);

  it('answers 200 with the usable models in pages, and with more for a BYOK key', async () => {
    const { status, body } = await list('?provider=offline&capability=json');
    expect(status).toBe(200);
    expect(body.data).toEqual([
      expect.objectContaining({ key: 'echo', provider: 'offline', isDefault: true, creditsPer1kOutput: 0 }),
    ]);
    const first = await list('?fundingSource=user_byok_cloud&provider=anthropic&limit=2');
    expect(first.body.data).toHaveLength(2);
    const cursor = String((first.body.meta as { nextCursor?: string }).nextCursor);
    const second = await list(`?fundingSource=user_byok_cloud&provider=anthropic&limit=2&cursor=${cursor}`);
    expect(second.body.data).toHaveLength(2);
    expect(JSON.stringify(second.body.data)).not.toContain((first.body.data as unknown as { id: string }[])[0]?.id);
  });

  it('answers 400 to an unknown capability or an invalid cursor', async () => {
    for (const query of ['?capability=magic', '?cursor=abc', '?fundingSource=sponsored']) {
      expect((await list(query)).status).toBe(400);
    }
  });

  it('answers 401 without a token and 403 without the scope', async () => {
    expect((await list('', { token: '' })).status).toBe(401);
    const { value: token } = await aToken(gateway.ctx, { accountId: gateway.accountId, held: ['threads:write'] });
    expect((await list('', { token })).status).toBe(403);
  });
});

describe('the rate limit of POST /v1/lenses/{lensId}/execute', () => {
  it('answers 429 with Retry-After above the limit, and headers with the remaining requests before', async () => {
    const strict = await aGateway({ LENSFORGE_RATE_EXECUTE_PER_MINUTE: '3' });
    try {
      const answers = [];
      for (let n = 0; n < 4; n += 1) {
        answers.push(
          await strict.call('POST', `/v1/lenses/${strict.lensId}/execute`, { body: { params: { Name: 'A' } } }),
        );
      }
      expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 429]);
      expect(answers.map(({ headers }) => headers.get('ratelimit-remaining'))).toEqual(['2', '1', '0', '0']);
      const refused = answers[3];
      expect(refused?.body.error?.code).toBe('rate_limited');
      expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    } finally {
      await strict.stop();
    }
  });
});
