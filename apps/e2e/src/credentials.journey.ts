import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { rotateSigningKeys } from '@lensforge/identity';
import { until } from '@lensforge/testing';
import { keyRing, readMasterKeys } from '@lensforge/vault';
import { createHolder, keyOf, requestStatus } from './credential-holder.js';
import { TestPlatform, countBy, atRate } from './test-platform.js';

let setup: TestPlatform;
beforeAll(async () => {
  setup = await TestPlatform.open({
    replicas: { 'api-gateway': 2 },
    environment: { LENSFORGE_JWKS_REFRESH_SECONDS: '1' },
  });
});
afterAll(() => setup.close());

const letIn = 404;

describe('the keys that sign', () => {
  it('are rotated under constant requests without a refusal, and a retired key is refused', async () => {
    const tokens = [(await createHolder(setup, 'session')).token];
    const old = keyOf(tokens[0]!);
    const requests = atRate(60, (n) => requestStatus(setup, 'api', n % 2, tokens[n % tokens.length]!));

    const { kid } = await rotateSigningKeys(setup.ctx, keyRing(readMasterKeys(setup.masterKey)));
    expect(kid).not.toBe(old);
    // As after ten minutes: all gateways know the new key, and it begins to sign.
    await until(async () => (await publishedKids()).includes(kid));
    await new Promise((resolve) => setTimeout(resolve, 3000));
    await setup.db.query('update signing_keys set signs_from = now() where kid = $1', [kid]);
    await setup.platform.restart('oauth');
    const next = (await createHolder(setup, 'session')).token;
    expect(keyOf(next)).toBe(kid);
    tokens.push(next, (await createHolder(setup, 'session')).token);
    await new Promise((resolve) => setTimeout(resolve, 3000));
    expect(countBy(await requests.stop())).toEqual({ [letIn]: requests.sent() });

    await setup.db.query('update signing_keys set retires_at = now() where kid = $1', [old]);
    for (const gateway of [0, 1]) {
      await until(async () => (await requestStatus(setup, 'api', gateway, tokens[0]!)) === 401);
      expect(await requestStatus(setup, 'api', gateway, next)).toBe(letIn);
    }
  });

  it('stay valid while the sign-in is down; a gateway that has not read them responds that it cannot verify tokens', async () => {
    const { token, expire } = await createHolder(setup, 'session');
    const before = await createHolder(setup, 'session');
    expect(await requestStatus(setup, 'api', 0, token)).toBe(letIn);
    await setup.platform.hold('oauth');
    for (let turn = 0; turn < 20; turn += 1) {
      expect(await requestStatus(setup, 'api', turn % 2, token)).toBe(letIn);
      expect(await requestStatus(setup, 'api', turn % 2, before.token)).toBe(letIn);
    }
    await expire();
    expect(await requestStatus(setup, 'api', 1, token)).toBe(401);
    await setup.platform.restart('api-gateway', 0);
    expect(await requestStatus(setup, 'api', 0, before.token)).toBe(503);
    expect(await requestStatus(setup, 'api', 0, setup.token)).toBe(letIn);
    await setup.platform.resume('oauth');
    await until(async () => (await requestStatus(setup, 'api', 0, before.token)) === letIn);
  });
});

const publishedKids = async (): Promise<string[]> => {
  const answer = await fetch(`${setup.platform.urlOf('oauth')}/id/jwks.json`);
  const { keys } = (await answer.json()) as { keys: { kid: string }[] };
  return keys.map(({ kid }) => kid);
};
