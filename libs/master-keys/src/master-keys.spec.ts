import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '@lensforge/core';
import { type TestDatabase, openTestDatabase } from '@lensforge/database/testing';
import { type KeyRing, keyRing, seal } from '@lensforge/vault';
import type { DataSource } from 'typeorm';
import {
  type MasterKeySetting,
  WrongMasterKey,
  checkMasterKey,
  deleteUnusedMasterKeys,
  listMasterKeys,
  sealedColumns,
} from './index.js';

let database: TestDatabase;
let db: DataSource;

beforeAll(async () => {
  database = await openTestDatabase();
  ({ source: db } = database);
});
beforeEach(async () => {
  await db.query('delete from master_key_fingerprints');
  await db.query('delete from signing_keys');
  await db.query('delete from byok_key_pairs');
});
afterAll(() => database.close());

const aKey = (version = 1) => ({ version, key: randomBytes(32).toString('base64') });
const [first, second, other] = [aKey(1), aKey(2), aKey(1)];
const [old, both, newest, wrong] = [[first], [first, second], [second], [other]].map((keys) => keyRing(keys));

const check = (ring: KeyRing = old!, setting: MasterKeySetting = 'LENSFORGE_MASTER_KEY', by = 'oauth') =>
  checkMasterKey({ db: db.manager }, { setting, ring, by });
const refusal = async (...given: Parameters<typeof check>): Promise<string> => {
  try {
    await check(...given);
    return '';
  } catch (error) {
    if (error instanceof WrongMasterKey) return error.message;
    throw error;
  }
};
const recorded = async () =>
  (await listMasterKeys({ db: db.manager })).map(({ setting, version, values }) => [setting, version, values]);
const store = async (ring: KeyRing) => {
  const kid = newId();
  const context = { table: 'signing_keys', column: 'private_key', id: kid, owner: 'platform' };
  await db.query(`insert into signing_keys (kid, public_jwk, private_key, signs_from) values ($1, '{}', $2, now())`, [
    kid,
    seal(ring, context, 'a private key'),
  ]);
  return kid;
};
const storePair = (ring: KeyRing) =>
  db.query('insert into byok_key_pairs (version, public_key, private_key) values (1, $1, $2)', [
    randomBytes(32),
    seal(ring, { table: 'byok_key_pairs', column: 'private_key', id: '1', owner: 'run-workers' }, 'x'),
  ]);

describe('checkMasterKey', () => {
  it('records a fingerprint of the first key that does not reveal the key', async () => {
    await check();
    await check();
    expect(await recorded()).toEqual([['LENSFORGE_MASTER_KEY', 1, 0]]);
    const [{ fingerprint }] = await db.query<[{ fingerprint: Buffer }]>(
      'select fingerprint from master_key_fingerprints',
    );
    expect(fingerprint).toHaveLength(8);
    expect(Buffer.from(first.key, 'base64').includes(fingerprint)).toBe(false);
  });

  it('records different fingerprints of one key for each setting', async () => {
    await check(old, 'LENSFORGE_MASTER_KEY');
    await check(old, 'LENSFORGE_BYOK_MASTER_KEY', 'run-worker');
    const rows = await db.query<{ fingerprint: Buffer }[]>('select distinct fingerprint from master_key_fingerprints');
    expect(rows).toHaveLength(2);
  });

  it('records new versions and keeps old ones', async () => {
    await check(old);
    await check(both);
    await check(newest);
    expect(await recorded()).toEqual([
      ['LENSFORGE_MASTER_KEY', 1, 0],
      ['LENSFORGE_MASTER_KEY', 2, 0],
    ]);
  });

  it('accepts one of several different keys that are checked together at first', async () => {
    const rings = Array.from({ length: 8 }, () => keyRing([aKey(1)]));
    const refusals = await Promise.all(rings.map((ring) => refusal(ring)));
    expect(refusals.filter((each) => each === '')).toHaveLength(1);
    expect(await recorded()).toEqual([['LENSFORGE_MASTER_KEY', 1, 0]]);
  });
});

describe('checkMasterKey with stored values', () => {
  it('refuses a key whose version was recorded with another key', async () => {
    await check(old, 'LENSFORGE_MASTER_KEY', 'api-gateway');
    expect(await refusal(wrong)).toMatch(
      /^LENSFORGE_MASTER_KEY: version 1 is not the key that api-gateway recorded for this database at 20\d\d-.*Z\. Give every service the same key; a new key needs a version of its own, as in 1:old,2:new, and "lensforge-operate rotate-master"$/,
    );
    expect(await refusal(keyRing([other, second]))).toContain('version 1 is not the key');
    expect(await recorded()).toEqual([['LENSFORGE_MASTER_KEY', 1, 0]]);
  });

  it('refuses a ring without a version that stored values use', async () => {
    await store(old!);
    const lack =
      'LENSFORGE_MASTER_KEY lacks version 1, which seals 1 stored value in signing_keys. Give that version too, as in 1:key, until "lensforge-operate rotate-master" has sealed them with the newest. If it is lost, docs/key-loss.md says how to go on without it';
    expect(await refusal(newest)).toBe(lack);
    await check(both);
    expect(await refusal(newest)).toBe(lack);
    await db.query('delete from signing_keys');
    expect(await refusal(newest)).toBe('');
  });

  it('refuses a ring without a newer version that others seal with', async () => {
    await check(old);
    await check(both);
    await check(old);
    await store(both!);
    expect(await refusal(old)).toContain('lacks version 2, which seals 1 stored value');
  });

  it('refuses a key that opens none of the values from before the first record', async () => {
    await store(old!);
    await store(old!);
    expect(await refusal(wrong)).toBe(
      'LENSFORGE_MASTER_KEY: version 1 opens none of the values in signing_keys that were sealed with a key of this version. Give the key that sealed them',
    );
    expect(await recorded()).toEqual([]);
    expect(await refusal(old)).toBe('');
    expect(await recorded()).toEqual([['LENSFORGE_MASTER_KEY', 1, 2]]);
  });

  it('accepts a key when one of several values was altered', async () => {
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
    expect(await refusal(old)).toBe('');
  });

  it('refuses a BYOK master key that opens no key pair', async () => {
    await storePair(old!);
    expect(await refusal(wrong, 'LENSFORGE_BYOK_MASTER_KEY')).toContain(
      'LENSFORGE_BYOK_MASTER_KEY: version 1 opens none',
    );
    expect(await refusal(newest, 'LENSFORGE_BYOK_MASTER_KEY')).toContain('"lensforge-operate rotate-byok-master"');
    expect(await refusal(old, 'LENSFORGE_BYOK_MASTER_KEY')).toBe('');
    expect(await refusal(wrong, 'LENSFORGE_MASTER_KEY')).toBe('');
  });
});

describe('deleteUnusedMasterKeys', () => {
  it('deletes a version without values, so that a wrong key can be corrected', async () => {
    await check(wrong);
    expect(await refusal(old)).not.toBe('');
    expect(await deleteUnusedMasterKeys({ db: db.manager })).toMatchObject([{ version: 1, values: 0 }]);
    await check(old);
    await store(old!);
    expect(await deleteUnusedMasterKeys({ db: db.manager })).toEqual([]);
    expect(await refusal(wrong)).not.toBe('');
  });
});

it('sealedColumns names every column with sealed values', async () => {
  const rows = await db.query<{ place: string }[]>(
    `select table_name || '.' || column_name as place from information_schema.columns
      where table_schema = 'public' and data_type = 'bytea' and column_name !~ '(hash|digest|fingerprint)$' order by 1`,
  );
  // Readers of the database also read what this key hides from voters.
  const notSealedByMasterKeys = [
    'audit_details.salt',
    'battles.blind_key',
    'byok_key_pairs.public_key',
    'byok_keys.data_key',
    'byok_keys.secret',
    'device_grants.device_hash',
    'mcp_authorization_codes.data_key',
    'mcp_authorization_codes.secret',
    'mcp_authorizations.data_key',
    'mcp_authorizations.secret',
    'mcp_servers.data_key',
    'mcp_servers.secret',
    'scorers.data_key',
    'scorers.secret',
    'passkeys.credential_id',
    'passkeys.public_key',
    'used_passkey_challenges.challenge',
    'webhook_attempts.answer',
    'webhook_events.body',
  ];
  const known = Object.values(sealedColumns).flatMap((all) => all.map(({ table, column }) => `${table}.${column}`));
  const found = rows.map(({ place }) => place).filter((place) => !notSealedByMasterKeys.includes(place));
  expect(found).toEqual([...known].sort());
});
