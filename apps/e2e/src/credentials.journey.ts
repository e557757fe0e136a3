import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { rotateSigningKeys } from '@lensforge/identity';
import { until } from '@lensforge/testing';
import { keyRing, readMasterKeys } from '@lensforge/vault';
import { aHolder, keyOf, knock } from './holder.js';
import { TestPlatform, countBy, steadily } from './test-platform.js';

let stage: TestPlatform;
beforeAll(async () => {
  stage = await TestPlatform.open({
    replicas: { 'api-gateway': 2 },
    environment: { LENSFORGE_JWKS_REFRESH_SECONDS: '1' },
  });
}, 240_000);
afterAll(() => stage.close(), 60_000);

const letIn = 404;

describe('the keys that sign', () => {
  it('are changed under constant requests without refusing anybody, and a retired key opens nothing', async () => {
    const tokens = [(await aHolder(stage, 'session')).token];
    const old = keyOf(tokens[0]!);
    const requests = steadily(60, (n) => knock(stage, 'api', n % 2, tokens[n % tokens.length]!));

    const { kid } = await rotateSigningKeys(stage.ctx, keyRing(readMasterKeys(stage.masterKey)));
    expect(kid).not.toBe(old);
    // As it comes to pass after ten minutes: everybody has seen the new key, and now it is its turn.
    await until(async () => (await publishedKids()).includes(kid));
    await new Promise((resolve) => setTimeout(resolve, 3000));
    await stage.db.query('update signing_keys set signs_from = now() where kid = $1', [kid]);
    await stage.platform.restart('oauth');
    const next = (await aHolder(stage, 'session')).token;
    expect(keyOf(next)).toBe(kid);
    tokens.push(next, (await aHolder(stage, 'session')).token);
    await new Promise((resolve) => setTimeout(resolve, 3000));
    expect(countBy(await requests.stop())).toEqual({ [letIn]: requests.sent() });

    await stage.db.query('update signing_keys set retires_at = now() where kid = $1', [old]);
    for (const gateway of [0, 1]) {
      await until(async () => (await knock(stage, 'api', gateway, tokens[0]!)) === 401);
      expect(await knock(stage, 'api', gateway, next)).toBe(letIn);
    }
  }, 240_000);

  it('go on counting while the sign-in is away; a gateway that never saw them says that it cannot tell', async () => {
    const { token, expire } = await aHolder(stage, 'session');
    const before = await aHolder(stage, 'session');
    expect(await knock(stage, 'api', 0, token)).toBe(letIn);
    await stage.platform.hold('oauth');
    for (let turn = 0; turn < 20; turn += 1) {
      expect(await knock(stage, 'api', turn % 2, token)).toBe(letIn);
      expect(await knock(stage, 'api', turn % 2, before.token)).toBe(letIn);
    }
    await expire();
    expect(await knock(stage, 'api', 1, token)).toBe(401);
    await stage.platform.restart('api-gateway', 0);
    expect(await knock(stage, 'api', 0, before.token)).toBe(503);
    expect(await knock(stage, 'api', 0, stage.token)).toBe(letIn);
    await stage.platform.resume('oauth');
    await until(async () => (await knock(stage, 'api', 0, before.token)) === letIn);
  }, 240_000);
});

const publishedKids = async (): Promise<string[]> => {
  const answer = await fetch(`${stage.platform.urlOf('oauth')}/id/jwks.json`);
  const { keys } = (await answer.json()) as { keys: { kid: string }[] };
  return keys.map(({ kid }) => kid);
};
