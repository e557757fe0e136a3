import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Context, newId } from '@lensforge/core';
import { type TestDatabase, openTestDatabase } from '@lensforge/database/testing';
import { aContext } from '@lensforge/testing';
import { keyRing, openBox } from '@lensforge/vault';
import type { DataSource } from 'typeorm';
import {
  ByokOpener,
  createByokKey,
  finishByokTest,
  listByokKeys,
  recordByokUse,
  readableByokKey,
  revokeByokKey,
  rotateByokKey,
  rotateByokMaster,
  startByokTest,
} from './index.js';
import { openPrivateKey } from './key-pairs.js';
import { aKeyPair, aMasterKey } from './testing.js';

const [first, second] = [aMasterKey(1), aMasterKey(2)];
const ring = keyRing([first]);
const opener = new ByokOpener(ring);
const secret = 'sk-live-c2FVsBQIhrscChlQIMV';
let database: TestDatabase;
let source: DataSource;
let ctx: Context;

beforeAll(async () => {
  database = await openTestDatabase({ poolSize: 10 });
  ({ source } = database);
  ctx = await anAccountContext();
});
afterAll(() => database.close());

async function anAccountContext(): Promise<Context> {
  const accountId = newId();
  await source.query(`insert into accounts (id, kind, handle, display_name) values ($1, 'person', $2, 'x')`, [
    accountId,
    `a-${accountId}`,
  ]);
  return aContext(source.manager, { accountId });
}

const create = (owner = ctx, text = secret) =>
  createByokKey(owner, { provider: 'openai', label: ' work ', secret: text });
const opened = async (keyId: string, owner = ctx, by = opener) =>
  (await by.open(source.manager, { keyId, accountId: owner.actor.accountId }))?.secret.toString();
const rowOf = async (id: string) =>
  (await source.query<Record<string, unknown>[]>('select * from byok_keys where id = $1', [id]))[0] ?? {};

describe('BYOK keys', () => {
  it('cannot be stored before a run-worker has created the key pair', async () => {
    await expect(create()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await aKeyPair(ctx, ring);
    await aKeyPair(ctx, keyRing([aMasterKey()]));
    expect(await source.query('select version from byok_key_pairs')).toHaveLength(1);
  });

  it('are shown by their last four characters only, and decrypted with the master key', async () => {
    const key = await create();
    expect(key).toEqual({
      id: key.id,
      provider: 'openai',
      label: 'work',
      last4: 'QIMV',
      createdAt: expect.any(String),
      rotatedAt: null,
      lastUsedAt: null,
      revokedAt: null,
      test: null,
      baseUrl: null,
      models: [],
    });
    expect(await opened(key.id)).toBe(secret);
    expect(await opened(key.id, await anAccountContext())).toBeUndefined();
    await recordByokUse(source.manager, key.id);
    expect((await readableByokKey(ctx, key.id)).lastUsedAt).toEqual(expect.any(String));
  });

  it('leave neither the secret nor a usable private key in the database', async () => {
    const { id } = await create();
    const everything = await source.query<{ text: string }[]>(
      `select k::text || p::text as text from byok_keys k, byok_key_pairs p
       union all select a::text from audit_entries a union all select o::text from outbox o`,
    );
    const dump = everything.map(({ text }) => text).join('\n');
    expect(dump).toContain(id);
    for (const part of [secret, Buffer.from(secret).toString('hex'), secret.slice(0, 12)]) {
      expect(dump).not.toContain(part);
    }
    const [{ public_key: publicKey }] = await source.query<[{ public_key: Buffer }]>(
      'select public_key from byok_key_pairs',
    );
    expect(() => openPrivateKey(keyRing([aMasterKey()]), 1, publicKey)).toThrow();
    await expect(opened(id, ctx, new ByokOpener(keyRing([aMasterKey()])))).rejects.toThrow(/sealed with another/);
  });

  it('cannot be decrypted in the row of another key, for another account or for another provider', async () => {
    const [mine, other] = [await create(), await create(await anAccountContext(), 'sk-of-another-account')];
    const { data_key: dataKey, secret: content } = await rowOf(other.id);
    const before = await rowOf(mine.id);
    await source.query('update byok_keys set data_key = $2, secret = $3 where id = $1', [mine.id, dataKey, content]);
    await expect(opened(mine.id)).rejects.toMatchObject({ fault: 'not_authentic' });
    await source.query('update byok_keys set data_key = $2, secret = $3, provider = $4 where id = $1', [
      mine.id,
      before['data_key'],
      before['secret'],
      'anthropic',
    ]);
    await expect(opened(mine.id)).rejects.toMatchObject({ fault: 'not_authentic' });
    await source.query(`update byok_keys set provider = 'openai', account_id = $2 where id = $1`, [
      other.id,
      ctx.actor.accountId,
    ]);
    await expect(opened(other.id)).rejects.toMatchObject({ fault: 'not_authentic' });
    await source.query('delete from byok_keys where id = any ($1)', [[mine.id, other.id]]);
  });

  it('keep their id when their secret is rotated', async () => {
    const { id } = await create();
    const before = await rowOf(id);
    const rotated = await rotateByokKey(ctx, id, 'sk-live-another-one-wxyz');
    expect(rotated).toMatchObject({ id, last4: 'wxyz', rotatedAt: expect.any(String), test: null });
    expect(await opened(id)).toBe('sk-live-another-one-wxyz');
    expect((await rowOf(id))['data_key']).not.toEqual(before['data_key']);
  });

  it('lose their ciphertext and data key when revoked, and are not found afterwards', async () => {
    const { id } = await create();
    const backup = await rowOf(id);
    const revoked = await revokeByokKey(ctx, id);
    expect(revoked).toMatchObject({ id, last4: 'QIMV', revokedAt: expect.any(String) });
    expect(await rowOf(id)).toMatchObject({ data_key: null, secret: null, key_pair: null });
    expect(await opened(id)).toBeUndefined();
    for (const verb of [readableByokKey, revokeByokKey, startByokTest]) {
      await expect(verb(ctx, id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
    // Without the data key the content is of no use, not even with the private key.
    const [pair] = await source.query<[{ private_key: Buffer }]>('select private_key from byok_key_pairs');
    const binding = ['byok_keys', id, ctx.actor.accountId, 'openai'];
    const box = { dataKey: Buffer.alloc(93, 1), content: backup['secret'] as Buffer };
    expect(() => openBox(openPrivateKey(ring, 1, pair.private_key), binding, box)).toThrow(/was altered/);
  });

  it('are reachable only by their account, and listed page by page', async () => {
    const [owner, otherOwner] = [await anAccountContext(), await anAccountContext()];
    const ids = [(await create(owner)).id, (await create(owner)).id, (await create(owner)).id];
    await revokeByokKey(owner, (await create(owner)).id);
    const one = await listByokKeys(owner, { limit: 2 });
    const two = await listByokKeys(owner, { limit: 2, cursor: one.nextCursor });
    expect([...one.items, ...two.items].map(({ id }) => id)).toEqual(ids.toReversed());
    expect((await listByokKeys(otherOwner, { limit: 9 })).items).toEqual([]);
    for (const verb of [readableByokKey, revokeByokKey, startByokTest]) {
      await expect(verb(otherOwner, ids[0] ?? '')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
    await expect(rotateByokKey(otherOwner, ids[0] ?? '', secret)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('are audited when created, rotated and revoked', async () => {
    const owner = await anAccountContext();
    const { id } = await create(owner);
    await rotateByokKey(owner, id, secret);
    await revokeByokKey(owner, id);
    const entries = await source.query<{ action: string; target: { id: string } }[]>(
      'select action, target from audit_entries where account_id = $1 order by sequence',
      [owner.actor.accountId],
    );
    expect(entries.map(({ action }) => action)).toEqual(['byok_key.created', 'byok_key.rotated', 'byok_key.revoked']);
    expect(entries.map(({ target }) => target.id)).toEqual([id, id, id]);
  });

  it('are tested by a run-worker, and only the newest test counts', async () => {
    const { id } = await create();
    const startedTest = async () => {
      await startByokTest(ctx, id);
      const [{ testId }] = await source.query<[{ testId: string }]>(
        'select test_id as "testId" from byok_keys where id = $1',
        [id],
      );
      return testId;
    };
    const [older, newest] = [await startedTest(), await startedTest()];
    expect((await readableByokKey(ctx, id)).test).toEqual({ status: 'pending', message: null, testedAt: null });
    const jobs = await source.query<object[]>(`select payload from outbox where job = 'byok-key.test'`);
    expect(jobs.length).toBeGreaterThan(1);
    expect(JSON.stringify(jobs)).not.toContain(secret);
    const result = { keyId: id, status: 'passed', message: 'It works' } as const;
    await finishByokTest(source.manager, { ...result, testId: older });
    expect((await readableByokKey(ctx, id)).test?.status).toBe('pending');
    await finishByokTest(source.manager, { ...result, testId: newest });
    expect((await readableByokKey(ctx, id)).test).toMatchObject({ status: 'passed', message: 'It works' });
  });
});

describe('a key for an endpoint of its owner', () => {
  const baseUrl = 'https://models.example.com/v1';
  const models = [
    { key: 'llama-4', maxOutputTokens: 8000 },
    { key: 'a-smaller-one', maxOutputTokens: 500 },
  ];
  const request = { provider: 'openai-compatible', label: 'mine', secret, baseUrl, models } as const;

  it('shows its base URL and models, and can be decrypted for that base URL only', async () => {
    const key = await createByokKey(ctx, request);
    expect(key).toMatchObject({ provider: 'openai-compatible', baseUrl, models, last4: 'QIMV' });
    expect(await readableByokKey(ctx, key.id)).toEqual(key);
    const { id: keyId } = key;
    const { accountId } = ctx.actor;
    expect(await opener.open(source.manager, { keyId, accountId })).toMatchObject({ baseUrl });
    await rotateByokKey(ctx, keyId, 'sk-another-secret');
    expect(await opened(keyId)).toBe('sk-another-secret');
    await source.query(`update byok_keys set base_url = 'https://evil.example.com/v1' where id = $1`, [keyId]);
    await expect(opened(keyId)).rejects.toMatchObject({ fault: 'not_authentic' });
    await source.query('update byok_keys set base_url = $2 where id = $1', [keyId, baseUrl]);
    expect(await revokeByokKey(ctx, keyId)).toMatchObject({ id: keyId, baseUrl, models });
  });

  it.each([
    ['no base URL', { baseUrl: undefined }, 'baseUrl is required'],
    ['no models', { models: undefined }, 'models is required'],
    ['a duplicate model', { models: [...models, ...models] }, 'models names llama-4 twice'],
    ['plain http', { baseUrl: 'http://models.example.com/v1' }, 'must be an https:// address'],
    ['a base URL that is no URL', { baseUrl: 'cheese' }, 'must be an https:// address'],
    ['a password', { baseUrl: 'https://a:b@models.example.com/v1' }, 'must not carry a user name'],
    ['a query', { baseUrl: 'https://models.example.com/v1?key=1' }, 'must not carry'],
    [
      'a base URL for a provider with a fixed one',
      { provider: 'openai', models: undefined },
      'baseUrl cannot be given for openai',
    ],
    [
      'models for a provider with known ones',
      { provider: 'openai', baseUrl: undefined },
      'models cannot be given for openai',
    ],
  ] as const)('is refused with %s', async (_, change, message) => {
    const made = (async () => createByokKey(ctx, { ...request, ...change }))();
    await expect(made).rejects.toMatchObject({ code: 'BAD_INPUT', message: expect.stringContaining(message) });
  });
});

describe('rotating the master key', () => {
  it('re-wraps all keys while they are used and created, continues after an interruption, and deletes the old pair', async () => {
    const both = keyRing([first, second]);
    const running = new ByokOpener(both);
    const made = await Promise.all(Array.from({ length: 30 }, (_, n) => create(ctx, `sk-live-number-${n}-0000`)));
    const interrupted = rotateByokMaster(ctx, both, {
      batch: 7,
      onProgress: () => {
        throw new Error('killed half-way');
      },
    });
    await expect(interrupted).rejects.toThrow('killed half-way');
    const openAll = () => Promise.all(made.map(({ id }) => opened(id, ctx, running)));
    expect(new Set(await openAll()).size).toBe(30);

    let ended = false;
    const use = async () => {
      const seen: (string | undefined)[] = [];
      while (!ended) {
        seen.push(...(await openAll()));
        made.push(await create(ctx, `sk-live-during-${seen.length}-0000`));
      }
      return seen;
    };
    const using = use();
    const rotation = await rotateByokMaster(ctx, both, { batch: 5 });
    ended = true;
    expect((await using).every((text) => text?.startsWith('sk-live-'))).toBe(true);
    expect(rotation).toMatchObject({ pair: 2, master: 2, left: 0 });
    expect(rotation.rewrapped).toBeGreaterThan(20);

    expect(await source.query('select version from byok_key_pairs')).toEqual([{ version: 2 }]);
    const withoutOld = new ByokOpener(keyRing([second]));
    expect((await Promise.all(made.map(({ id }) => opened(id, ctx, withoutOld)))).every(Boolean)).toBe(true);
    await expect(opened(made[0]?.id ?? '', ctx, new ByokOpener(ring))).rejects.toMatchObject({ fault: 'unknown_key' });
  });

  it('reports altered rows, re-wraps the others, and completes once the altered keys are revoked', async () => {
    const ring = keyRing([second]);
    const [altered, intact] = [await create(), await create()];
    await source.query(
      'update byok_keys set data_key = set_byte(data_key, 60, 255 - get_byte(data_key, 60)) where id = $1',
      [altered.id],
    );
    expect(await rotateByokMaster(ctx, ring, { batch: 4 })).toMatchObject({ pair: 3, left: 1, broken: [altered.id] });
    expect(await opened(intact.id, ctx, new ByokOpener(ring))).toBe(secret);
    await revokeByokKey(ctx, altered.id);
    expect(await rotateByokMaster(ctx, ring)).toMatchObject({ pair: 3, left: 0, broken: [] });
    expect(await source.query('select version from byok_key_pairs')).toEqual([{ version: 3 }]);
  });
});
