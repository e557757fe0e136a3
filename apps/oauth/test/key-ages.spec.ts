import { randomBytes } from 'node:crypto';
import { type TestDatabase, openTestDatabase } from '@lensforge/database/testing';
import { openSigningKeys } from '@lensforge/identity';
import { keyRing, readMasterKeys } from '@lensforge/vault';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import { measureKeyAges } from '../src/key-ages.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

it('the metrics have the age of the newest key of each kind', async () => {
  const { source } = database;
  const registry = new Registry();
  measureKeyAges({ db: source.manager, registry });
  const daysOf = async () => {
    const lines = (await registry.metrics())
      .split('\n')
      .filter((line) => line.startsWith('lensforge_key_age_seconds{'));
    return lines.map((line) => line.replace(/ (\S+)$/, (_, seconds) => ` ${Math.floor(Number(seconds) / 86_400)}`));
  };
  expect(await daysOf()).toEqual([]);
  const ring = keyRing(readMasterKeys(randomBytes(32).toString('base64')));
  await openSigningKeys({ db: source.manager, ring, issuer: 'https://id.test/id' });
  await source.query(`update signing_keys set signs_from = now() - interval '100 days'`);
  for (const [setting, days] of [
    ['LENSFORGE_MASTER_KEY', 400],
    ['LENSFORGE_BYOK_MASTER_KEY', 2],
  ])
    await source.query(
      `insert into master_key_fingerprints (setting, version, fingerprint, recorded_by, recorded_at)
       values ($1, 1, $2, 'test', now() - $3 * interval '1 day')`,
      [setting, randomBytes(8), days],
    );
  expect((await daysOf()).sort()).toEqual([
    'lensforge_key_age_seconds{key="byok_master"} 2',
    'lensforge_key_age_seconds{key="master"} 400',
    'lensforge_key_age_seconds{key="signing"} 100',
  ]);
});
