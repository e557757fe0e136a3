import { type Endpoint, accountRateClasses, endpoints } from '@lensforge/contracts';
import { newId } from '@lensforge/core';
import { aWorkflow } from '@lensforge/workflows/testing';
import { actingAs } from '@lensforge/identity/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type SignedInGateway, aGatewayWithSignIn } from './signed-in.js';

/*
 * Each endpoint with its rate class, counted over two gateways. Every class has a different limit here, so that the
 * RateLimit-Limit of an answer identifies the class, and a call of each of its endpoints at both gateways does not use it up.
 */
const limits = Object.fromEntries(
  [...accountRateClasses, 'incoming', 'unauthenticated'].map((rate, at) => [rate, 300 + at]),
);
const settings = Object.fromEntries(
  Object.entries(limits).map(([rate, limit]) => [`LENSFORGE_RATE_${rate.toUpperCase()}_PER_MINUTE`, String(limit)]),
);

let gateway: SignedInGateway;
let urls: [string, string];
beforeAll(async () => {
  gateway = await aGatewayWithSignIn(settings);
  urls = [gateway.url, await gateway.replica()];
});
afterAll(() => gateway.stop());

interface Sent {
  token?: string;
  headers?: Record<string, string>;
  /** The ids in the path; unknown ones when absent. */
  ids?: Record<string, string>;
  query?: string;
}

/** Sends a request with an empty body and returns the rate limit headers. */
async function charged(url: string, { method, path }: Endpoint, sent: Sent = {}) {
  const { token, headers = {}, ids = {}, query = '' } = sent;
  const fullPath = path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? newId());
  const hasBody = method !== 'GET' && method !== 'DELETE';
  const answer = await fetch(`${url}${fullPath}${query}`, {
    method,
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(hasBody && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(hasBody && { body: '{}' }),
  });
  await answer.body?.cancel();
  const figure = (name: string) => Number(answer.headers.get(`ratelimit-${name}`) ?? NaN);
  return {
    status: answer.status,
    limit: figure('limit'),
    remaining: figure('remaining'),
    reset: figure('reset'),
    retryAfter: Number(answer.headers.get('retry-after') ?? NaN),
  };
}

const aSession = async () => gateway.sessionToken(await gateway.aPerson());

/** Sends requests to both gateways in turn and checks that they count together. */
async function expectCharged(rate: string, ask: (url: string) => ReturnType<typeof charged>): Promise<void> {
  const limit = limits[rate] ?? NaN;
  const seen = [await ask(urls[0]), await ask(urls[1]), await ask(urls[0])];
  expect(seen.map(({ limit: of, remaining }) => [of, remaining])).toEqual([1, 2, 3].map((n) => [limit, limit - n]));
  for (const { reset } of seen) {
    expect(reset).toBeGreaterThanOrEqual(1);
    expect(reset).toBeLessThanOrEqual(60);
  }
}

const rows = Object.values<Endpoint>(endpoints);
const ofAccounts = rows.filter(({ rate }) => rate !== 'none' && rate !== 'incoming');

describe('two gateways count together:', () => {
  it.each(ofAccounts.map((row) => [row.id, row.rate, row] as const))('%s in %s', async (_id, rate, row) => {
    const token = await aSession();
    await expectCharged(rate, (url) => charged(url, row, { token }));
  });

  const special = rows.flatMap((row) =>
    Object.entries(row.rateWith ?? {}).map(([name, rate]) => ({ row, name, rate })),
  );

  it.each(special)('$row.id with $name in $rate', async ({ row, name, rate }) => {
    const token = await aSession();
    await expectCharged(rate, (url) => charged(url, row, { token, query: `?${name}=words` }));
    expect(await charged(urls[1], row, { token })).toMatchObject({ limit: limits[row.rate] });
  });

  it('callIncomingWebhook in incoming, per webhook', async () => {
    const { id: workflowId } = await aWorkflow(actingAs(gateway.ctx, gateway.accountId));
    for (let n = 0; n < 2; n += 1) {
      const made = await gateway.call('POST', '/v1/incoming-webhooks', { body: { workflowId, name: 'x' } });
      const { id: webhookId, secret } = made.body.data as { id: string; secret: string };
      const headers = { 'x-webhook-secret': secret };
      await expectCharged('incoming', (url) =>
        charged(url, endpoints.callIncomingWebhook, { headers, ids: { webhookId } }),
      );
    }
  });

  it.each([endpoints.answerWait, endpoints.giveFeedback])('$id in incoming, per network', async (endpoint) => {
    for (const networks of [
      ['203.0.113.20', '203.0.113.20'],
      ['2001:db8:20::1', '2001:db8:20::2'],
    ]) {
      await expectCharged('incoming', (url) => {
        const headers = { 'x-forwarded-for': networks[url === urls[0] ? 0 : 1] ?? '' };
        return charged(url, endpoint, { headers });
      });
    }
  });

  it('every endpoint but health', async () => {
    const others = rows.filter((row) => !ofAccounts.includes(row) && row.rate !== 'incoming');
    expect(others.map(({ id }) => id)).toEqual(['health']);
    expect(
      rows
        .filter(({ rate }) => rate === 'incoming')
        .map(({ id }) => id)
        .sort(),
    ).toEqual(['answerWait', 'callIncomingWebhook', 'giveFeedback']);
    expect((await charged(urls[0], endpoints.health)).limit).toBeNaN();
  });
});

describe('a rate class that is used up', () => {
  it('refuses every endpoint of the class at every gateway, and no others', async () => {
    const token = await aSession();
    const { execute = NaN } = limits;
    const answers = await Promise.all(
      Array.from({ length: execute + 20 }, (_, n) =>
        charged(urls[n % 2] ?? '', endpoints.executeLens, { token, ids: { lensId: newId() } }),
      ),
    );
    const refused = answers.filter(({ status }) => status === 429);
    expect([answers.length - refused.length, refused.length]).toEqual([execute, 20]);
    for (const { retryAfter, reset } of refused) {
      expect(retryAfter).toBe(reset);
      expect(retryAfter).toBeLessThanOrEqual(60);
    }
    for (const url of urls) {
      for (const row of ofAccounts) {
        const { status } = await charged(url, row, { token });
        expect([row.id, status === 429]).toEqual([row.id, row.rate === 'execute']);
      }
    }
  });

  it('refuses event streams, also at a gateway that learns of it by this request', async () => {
    const person = await gateway.aPerson();
    const token = gateway.sessionToken(person);
    const { id: workflowId } = await aWorkflow(actingAs(gateway.ctx, person.accountId));
    const run = await gateway.call('POST', `/v1/workflows/${workflowId}/run`, { token, body: { inputs: {} } });
    const ids = { runId: String(run.body.data?.['runId']) };
    const stream = (url: string) => charged(url, endpoints.streamRunEvents, { token, ids });
    const { read = NaN } = limits;
    expect(await stream(urls[1])).toMatchObject({ status: 200, remaining: read - 1 });
    await Promise.all(Array.from({ length: read - 1 }, () => charged(urls[0], endpoints.getRun, { token, ids })));
    for (const url of [urls[1], urls[1], urls[0]])
      expect(await stream(url)).toMatchObject({ status: 429, limit: read, remaining: 0 });
  });

  it('also refuses retries of workflow runs, which count as run and as execution', async () => {
    const person = await gateway.aPerson();
    const token = gateway.sessionToken(person);
    const { id: workflowId } = await aWorkflow(actingAs(gateway.ctx, person.accountId));
    const run = await gateway.call('POST', `/v1/workflows/${workflowId}/run`, { token, body: { inputs: {} } });
    const runId = String(run.body.data?.['runId']);
    await gateway.call('POST', `/v1/runs/${runId}/cancel`, { token });
    const retried = await gateway.call('POST', `/v1/runs/${runId}/retry`, { token, body: {} });
    expect([retried.status, retried.headers.get('ratelimit-limit')]).toEqual([202, String(limits['execute'])]);
    // One run, one retry, and this request.
    expect(await charged(urls[1], endpoints.runWorkflow, { token })).toMatchObject({
      remaining: (limits['run'] ?? NaN) - 3,
    });
  });
});
