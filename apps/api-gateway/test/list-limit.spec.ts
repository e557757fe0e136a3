import { aToken, anAccount } from '@lensforge/identity/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type SignedInGateway, aGatewayWithSignIn } from './signed-in.js';

let gateway: SignedInGateway;

beforeAll(async () => {
  gateway = await aGatewayWithSignIn({ LENSFORGE_RATE_LIST_PER_MINUTE: '3' });
});
afterAll(() => gateway.stop());

const list = (token: string, address?: string) =>
  gateway.call('GET', '/v1/lenses?offset=100000', {
    token,
    ...(address && { headers: { 'x-forwarded-for': address } }),
  });

describe('lists of lenses', () => {
  it('answer 429 above the limit of the account, separate from other reads', async () => {
    const { id: accountId } = await anAccount(gateway.ctx);
    const [one, other] = [await aToken(gateway.ctx, { accountId }), await aToken(gateway.ctx, { accountId })];
    for (const { value } of [one, other, one]) expect((await list(value)).status).toBe(200);
    const refused = await list(other.value);
    expect([refused.status, refused.body.error?.code]).toEqual([429, 'rate_limited']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect((await gateway.call('GET', '/v1/me', { token: one.value })).status).toBe(200);
    expect((await list(gateway.token)).status).toBe(200);
  });

  it('count anonymous callers by network, whatever their tokens', async () => {
    for (let turn = 0; turn < 3; turn += 1) {
      expect((await list(gateway.anonymousToken(), '203.0.113.7')).status).toBe(200);
    }
    expect((await list(gateway.anonymousToken(), '203.0.113.7')).status).toBe(429);
    const token = gateway.anonymousToken();
    for (const address of ['203.0.113.8', '203.0.113.9', '203.0.113.8', '203.0.113.9']) {
      expect((await list(token, address)).status).toBe(200);
    }
  });
});
