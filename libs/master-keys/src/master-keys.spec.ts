import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '@lensforge/core';
import { openDatabase } from '@lensforge/database';
import type { FreshDatabase } from '@lensforge/testing';
import { freshDatabase } from '@lensforge/testing';
import type { KeyRing } from '@lensforge/vault';
import { keyRing, seal } from '@lensforge/vault';
import type { DataSource } from 'typeorm';
import type { MasterKeySetting } from './index.js';
import { WrongMasterKey, checkMasterKey, deleteUnusedMasterKeys, listMasterKeys, sealedColumns } from './index.js';

let database: FreshDatabase;
let db: DataSource;

beforeAll(async () => {
  database = await freshDatabase();
  db = await openDatabase({ url: database.url, entities: [], applicationName: 'master-keys.spec' });
});
beforeEach(async () => {
  await db.query('delete from master_key_fingerprints');
  await db.query('delete from signing_keys');
  await db.query('delete from byok_key_pairs');
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

const aKey = (version = 1) => ({ version, key: randomBytes(32).toString('base64') });
const [first, second, other] = [aKey(1), aKey(2), aKey(1)];
const [old, both, newest, wrong] = [[first], [first, second], [second], [other]].map((keys) => keyRing(keys));

const check = (ring: KeyRing = old!, setting: MasterKeySetting = 'LENSFORGE_MASTER_KEY', by = 'oauth') =>
  checkMasterKey({ db: db.manager }, { setting, ring, by });
const complaint = async (...given: Parameters<typeof check>): Promise<string> => {
  try {
    await check(...given);
    return '';
  } catch (error) {
    if (error instanceof WrongMasterKey) return error.message;
    throw error;
  }
};
const onRecord = async () =>
  (await listMasterKeys({ db: db.manager })).map(({ setting, version, values }) => [setting, version, values]);
const store = async (ring: KeyRing) => {
  const kid = newId();
  const place = { table: 'signing_keys', column: 'private_key', id: kid, owner: 'platform' };
  await db.query(`insert into signing_keys (kid, public_jwk, private_key, signs_from) values ($1, '{}', $2, now())`, [
    kid,
    seal(ring, place, 'a private key'),
  ]);
  return kid;
};
const storePair = (ring: KeyRing) =>
  db.query('insert into byok_key_pairs (version, public_key, private_key) values (1, $1, $2)', [
    randomBytes(32),
    seal(ring, { table: 'byok_key_pairs', column: 'private_key', id: '1', owner: 'run-workers' }, 'x'),
  ]);

describe('the record of master keys', () => {
  it('is begun by the first program, and holds nothing that a key could be guessed by', async () => {
    await check();
    await check();
    expect(await onRecord()).toEqual([['LENSFORGE_MASTER_KEY', 1, 0]]);
    const [{ fingerprint }] = await db.query<[{ fingerprint: Buffer }]>(
      'select fingerprint from master_key_fingerprints',
    );
    expect(fingerprint).toHaveLength(8);
    expect(Buffer.from(first.key, 'base64').includes(fingerprint)).toBe(false);
  });

  it('is kept apart for each setting: the same key has other fingerprints there', async () => {
    await check(old, 'LENSFORGE_MASTER_KEY');
    await check(old, 'LENSFORGE_BYOK_MASTER_KEY', 'run-worker');
    const rows = await db.query<{ fingerprint: Buffer }[]>('select distinct fingerprint from master_key_fingerprints');
    expect(rows).toHaveLength(2);
  });

  it('takes in a new version beside the old one, and keeps the old one when that is given up', async () => {
    await check(old);
    await check(both);
    await check(newest);
    expect(await onRecord()).toEqual([
      ['LENSFORGE_MASTER_KEY', 1, 0],
      ['LENSFORGE_MASTER_KEY', 2, 0],
    ]);
  });

  it('is begun with one key when several come first with different ones', async () => {
    const rings = Array.from({ length: 8 }, () => keyRing([aKey(1)]));
    const said = await Promise.all(rings.map((ring) => complaint(ring)));
    expect(said.filter((each) => each === '')).toHaveLength(1);
    expect(await onRecord()).toEqual([['LENSFORGE_MASTER_KEY', 1, 0]]);
  });
});

describe('a master key is refused', () => {
  it('when its version is on record with another key', async () => {
    await check(old, 'LENSFORGE_MASTER_KEY', 'api-gateway');
    expect(await complaint(wrong)).toMatch(
      /^LENSFORGE_MASTER_KEY: version 1 is another key than the one that api-gateway put on record for this database at 20\d\d-.*Z\. Give every service the same key; a new key needs a version of its own, as in 1:old,2:new, and "operate rotate-master"$/,
    );
    expect(await complaint(keyRing([other, second]))).toContain('version 1 is another key');
    expect(await onRecord()).toEqual([['LENSFORGE_MASTER_KEY', 1, 0]]);
  });

  it('when it lacks a version that stored values still use, on record or not', async () => {
    await store(old!);
    const lack =
      'LENSFORGE_MASTER_KEY lacks version 1, which seals 1 stored value in signing_keys. Give that version too, as in 1:key, until "operate rotate-master" has sealed them with the newest';
    expect(await complaint(newest)).toBe(lack);
    await check(both);
    expect(await complaint(newest)).toBe(lack);
    await db.query('delete from signing_keys');
    expect(await complaint(newest)).toBe('');
  });

  it('when others seal with a version that it does not have yet', async () => {
    await check(old);
    await check(both);
    await check(old);
    await store(both!);
    expect(await complaint(old)).toContain('lacks version 2, which seals 1 stored value');
  });

  it('when it opens none of the values that were there before the record', async () => {
    await store(old!);
    await store(old!);
    expect(await complaint(wrong)).toBe(
      'LENSFORGE_MASTER_KEY: version 1 opens none of the values in signing_keys that were sealed with a key of this version. Give the key that sealed them',
    );
    expect(await onRecord()).toEqual([]);
    expect(await complaint(old)).toBe('');
    expect(await onRecord()).toEqual([['LENSFORGE_MASTER_KEY', 1, 2]]);
  });

  it('but not because one of several values was altered', async () => {
    const kid = await store(old!);
    await store(old!);
    await db.query(
      'update signing_keys set private_key = set_byte(private_key, 70, 1 - get_byte(private_key, 70) % 2) where kid = $1',
      [kid],
    );
    await db.query(
      'update signing_keys set private_key = set_byte(private_key, 20, 1 - get_byte(private_key, 20) % 2) where kid = $1',
      [kid],
    );
    expect(await complaint(old)).toBe('');
  });

  it('when it opens none of the keys of users', async () => {
    await storePair(old!);
    expect(await complaint(wrong, 'LENSFORGE_BYOK_MASTER_KEY')).toContain(
      'LENSFORGE_BYOK_MASTER_KEY: version 1 opens none',
    );
    expect(await complaint(newest, 'LENSFORGE_BYOK_MASTER_KEY')).toContain('"operate rotate-byok-master"');
    expect(await complaint(old, 'LENSFORGE_BYOK_MASTER_KEY')).toBe('');
    expect(await complaint(wrong, 'LENSFORGE_MASTER_KEY')).toBe('');
  });
});

describe('a version that seals nothing', () => {
  it('can be taken off the record, so that a mistake can be mended', async () => {
    await check(wrong);
    expect(await complaint(old)).not.toBe('');
    expect(await deleteUnusedMasterKeys({ db: db.manager })).toMatchObject([{ version: 1, values: 0 }]);
    await check(old);
    await store(old!);
    expect(await deleteUnusedMasterKeys({ db: db.manager })).toEqual([]);
    expect(await complaint(wrong)).not.toBe('');
  });
});

it('every column that holds sealed values is known', async () => {
  const rows = await db.query<{ place: string }[]>(
    `select table_name || '.' || column_name as place from information_schema.columns
      where table_schema = 'public' and data_type = 'bytea' and column_name !~ '(hash|digest|fingerprint)$' order by 1`,
  );
  const notSealedByMasterKeys = [
    'byok_key_pairs.public_key',
    'byok_keys.data_key',
    'byok_keys.secret',
    'device_grants.device_hash',
    'webhook_attempts.answer',
    'webhook_events.body',
  ];
  const known = Object.values(sealedColumns).flatMap((all) => all.map(({ table, column }) => `${table}.${column}`));
  const found = rows.map(({ place }) => place).filter((place) => !notSealedByMasterKeys.includes(place));
  expect(found).toEqual([...known].sort());
});
