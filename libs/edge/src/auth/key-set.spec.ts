import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type TokenIssuer, makeIssuerKey, tokenIssuer, until } from '@lensforge/testing';
import { pino } from 'pino';
import { KeySet, type SignatureAlgorithm } from './key-set.js';

let issuer: TokenIssuer;
const sets: KeySet[] = [];
beforeEach(async () => {
  issuer = await tokenIssuer({ name: 'https://id.example' });
});
afterEach(async () => {
  for (const set of sets.splice(0)) set.close();
  await issuer.close();
});

function keySet(times: { refreshMs?: number; pauseMs?: number } = {}, algorithms: SignatureAlgorithm[] = ['ES256']) {
  const set = new KeySet({ url: issuer.jwksUrl, algorithms, logger: pino({ level: 'silent' }), ...times });
  sets.push(set);
  return set;
}
const published = (at = 0): string => issuer.keys[at]?.kid ?? '';
const unknownKids = (count: number): string[] => Array.from({ length: count }, (_, n) => `unknown-${n}`);

describe('a key set', () => {
  it('fetches the keys once for concurrent look-ups', async () => {
    const set = keySet();
    const found = await Promise.all(Array.from({ length: 50 }, () => set.find(published())));
    expect(new Set(found.map((key) => key?.kid))).toEqual(new Set([published()]));
    expect(issuer.keyRequests).toBe(1);
  });

  it('fetches again for an unknown key, at most once in pauseMs', async () => {
    const set = keySet({ pauseMs: 60_000 });
    await set.find(published());
    for (const kid of unknownKids(100)) expect(await set.find(kid)).toBeUndefined();
    expect(issuer.keyRequests).toBe(1);
    const quick = keySet({ pauseMs: 0 });
    await quick.find(published());
    issuer.keys.push(makeIssuerKey());
    expect((await quick.find(published(1)))?.kid).toBe(published(1));
  });

  it('refreshes in the background: adds new keys and drops retired ones', async () => {
    const set = keySet({ refreshMs: 20 });
    const old = published();
    await set.find(old);
    issuer.keys = [makeIssuerKey()];
    await until(() => set.has(published()) && !set.has(old));
    expect(await set.find(old)).toBeUndefined();
  });

  it('keeps known keys while the issuer is unavailable, and rejects look-ups of unknown ones', async () => {
    const set = keySet({ refreshMs: 20 });
    await set.find(published());
    for (const instead of [
      { status: 503, body: '' },
      { status: 200, body: 'no JSON' },
      { status: 200, body: '{"keys":7}' },
      { status: 200, body: JSON.stringify({ keys: [], padding: 'x'.repeat(70_000) }) },
    ]) {
      issuer.failure = instead;
      const { keyRequests } = issuer;
      await until(() => issuer.keyRequests > keyRequests + 1);
      expect((await set.find(published()))?.kid).toBe(published());
      await expect(set.find('unknown')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    }
    issuer.failure = undefined;
    await until(async () => (await set.find('unknown').catch(() => 'unclear')) === undefined);
  });

  it('takes only public keys that verify signatures', async () => {
    const [good] = issuer.keys;
    const jwk = { ...good?.publicKey.export({ format: 'jwk' }), kid: 'x' };
    const keys = [
      null,
      { kty: 'oct', k: 'c2VjcmV0', kid: 'symmetric' },
      { ...jwk, kid: 7 },
      { ...jwk, kid: 'encrypts', use: 'enc' },
      { ...jwk, kid: 'otherwise', alg: 'ES384' },
      { ...jwk, kid: 'torn', x: 'AAAA' },
      { ...jwk, kid: 'private', d: 'AAAA' },
      { ...makeIssuerKey('RS256').publicKey.export({ format: 'jwk' }), kid: 'of another kind' },
      { ...jwk, kid: 'good' },
    ];
    issuer.failure = { status: 200, body: JSON.stringify({ keys }) };
    const set = keySet();
    expect((await set.find('good'))?.algorithm).toBe('ES256');
    const kids = ['symmetric', 'encrypts', 'otherwise', 'torn', 'private', 'of another kind'];
    expect(kids.filter((kid) => set.has(kid))).toEqual([]);
  });

  it('takes keys of each allowed algorithm', async () => {
    issuer.keys = (['ES256', 'RS256', 'EdDSA'] as const).map((algorithm) => makeIssuerKey(algorithm));
    const set = keySet({}, ['ES256', 'RS256', 'EdDSA']);
    const found = await Promise.all(issuer.keys.map(({ kid }) => set.find(kid)));
    expect(found.map((key) => key?.algorithm)).toEqual(['ES256', 'RS256', 'EdDSA']);
  });
});
