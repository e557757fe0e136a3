import { randomBytes } from 'node:crypto';
import { newId } from '@lensforge/core';
import { aToken, actingAs } from '@lensforge/identity/testing';
import { aWorkflow } from '@lensforge/workflows/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Answer } from './gateway.js';
import { type SignedInGateway, aGatewayWithSignIn } from './signed-in.js';

const limit = 5;

let gateway: SignedInGateway;
beforeAll(async () => {
  gateway = await aGatewayWithSignIn({ LENSFORGE_RATE_UNAUTHENTICATED_PER_MINUTE: String(limit) });
});
afterAll(() => gateway.stop());

let networks = 0;
/** An address of a network that no other test uses. */
const anAddress = (): string => `198.51.100.${(networks += 1)}`;
const ask = (token: string, address: string, path = '/v1/me'): Promise<Answer> =>
  gateway.call('GET', path, { token, headers: { 'x-forwarded-for': address } });
const unknownToken = (): string => `lf_dev_${randomBytes(32).toString('hex')}`;

const useUp = async (address: string): Promise<void> => {
  for (let n = 0; n < limit; n += 1) expect((await ask(unknownToken(), address)).status).toBe(401);
};

describe('unauthenticated callers', () => {
  it.each([
    ['an unknown token', unknownToken],
    ['no token', () => ''],
    ['a malformed token', () => 'nonsense'],
    ['a signed token of another issuer', () => `${Buffer.from('{"alg":"ES256"}').toString('base64url')}.e30.AAAA`],
  ])('get 401 with the remaining requests of their network, and 429 above the limit: %s', async (_, token) => {
    const address = anAddress();
    for (let n = 1; n <= limit; n += 1) {
      const { status, headers } = await ask(token(), address);
      expect([status, headers.get('ratelimit-remaining')]).toEqual([401, String(limit - n)]);
    }
    const refused = await ask(token(), address);
    expect([refused.status, refused.body.error?.code]).toEqual([429, 'rate_limited']);
    expect(refused.headers.get('retry-after')).toBe(refused.headers.get('ratelimit-reset'));
    expect((await ask(token(), anAddress())).status).toBe(401);
  });

  it('share one limit per IPv6 /64 network', async () => {
    for (let n = 0; n < limit; n += 1) expect((await ask(unknownToken(), `2001:db8:1:2::${n + 1}`)).status).toBe(401);
    expect((await ask(unknownToken(), '2001:db8:1:2:ffff::9')).status).toBe(429);
    expect((await ask(unknownToken(), '2001:db8:1:3::1')).status).toBe(401);
  });

  it('do not block callers of their network with valid tokens', async () => {
    const address = anAddress();
    await useUp(address);
    expect((await ask(unknownToken(), address)).status).toBe(429);
    const { value: fresh } = await aToken(gateway.ctx, { accountId: gateway.accountId });
    const session = gateway.sessionToken(await gateway.aPerson());
    for (const token of [fresh, gateway.token, session, gateway.anonymousToken()]) {
      expect((await ask(token, address)).status).toBe(200);
    }
  });

  it('above the limit are refused without a database query when their token was refused just before', async () => {
    const address = anAddress();
    await useUp(address);
    const token = unknownToken();
    expect((await ask(token, address)).status).toBe(429);
    await gateway.ctx.db.transaction(async (db) => {
      await db.query('lock table api_tokens in access exclusive mode');
      for (const known of [token, 'nonsense', '']) expect((await ask(known, address)).status).toBe(429);
    });
  });

  it('are also counted when they guess the secret of an incoming webhook or a read token', async () => {
    const { id: workflowId } = await aWorkflow(actingAs(gateway.ctx, gateway.accountId));
    const made = await gateway.call('POST', '/v1/incoming-webhooks', { body: { workflowId, name: 'x' } });
    const { id, secret } = made.body.data as { id: string; secret: string };
    const guess = (address: string, webhookId: string, guessed: string) =>
      gateway.call('POST', `/v1/webhooks/${webhookId}`, {
        token: '',
        body: { params: {} },
        headers: { 'x-forwarded-for': address, 'x-webhook-secret': guessed },
      });
    const address = anAddress();
    for (let n = 0; n < limit; n += 1) expect((await guess(address, n % 2 ? id : newId(), 'whsec_x')).status).toBe(401);
    expect((await guess(address, id, 'whsec_x')).status).toBe(429);
    expect((await guess(address, id, secret)).status).toBe(202);

    const follow = (from: string) => ask('', from, `/v1/runs/${newId()}/events?token=lf_run_${'0'.repeat(64)}`);
    const other = anAddress();
    for (let n = 0; n < limit; n += 1) expect((await follow(other)).status).toBe(401);
    expect((await follow(other)).status).toBe(429);
  });
});

describe('anonymous callers', () => {
  it('are counted by network, whatever their tokens', async () => {
    const remaining = async (address: string) =>
      Number((await ask(gateway.anonymousToken(), address, '/v1/lenses')).headers.get('ratelimit-remaining'));
    const first = await remaining('2001:db8:7:7::1');
    expect(await remaining('2001:db8:7:7::2')).toBe(first - 1);
    expect(await remaining('2001:db8:7:8::1')).toBe(first);
  });

  it('get 403 for a dry run of a workflow', async () => {
    const { id } = await aWorkflow(actingAs(gateway.ctx, gateway.accountId), { visibility: 'public' });
    const path = `/v1/workflows/${id}/dry-run`;
    const token = gateway.anonymousToken();
    expect((await gateway.call('GET', `/v1/workflows/${id}`, { token })).status).toBe(200);
    const refused = await gateway.call('POST', path, { token, body: { inputs: {} } });
    expect([refused.status, refused.body.error?.code]).toEqual([403, 'forbidden']);
    expect((await gateway.call('POST', path, { body: { inputs: {} } })).status).toBe(200);
  });
});

it('a refusal leads to the description of its code, a success does not', async () => {
  const [address, { token }] = [anAddress(), gateway];
  const answers = [
    [await ask(unknownToken(), address), 'unauthorized'],
    [await ask(token, address, '/v1/nothing'), 'not_found'],
    [await ask(token, address, '/v1/runs?limit=many'), 'invalid_request'],
    [await gateway.call('DELETE', '/v1/runs', { token }), 'method_not_allowed'],
  ] as const;
  const page = await (await fetch(`${gateway.url}/docs/errors`)).text();
  for (const [{ headers, body }, code] of answers) {
    expect([body.error?.code, headers.get('link')]).toEqual([code, `</docs/errors#${code}>; rel="help"`]);
    expect(page).toContain(`id="${code}"`);
  }
  expect((await ask(token, address)).headers.get('link')).toBeNull();
});
