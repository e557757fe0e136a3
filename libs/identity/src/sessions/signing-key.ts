import { type KeyObject, createPrivateKey, generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import { type KeyRing, type SealContext, open, seal } from '@lensforge/vault';
import { calculateJwkThumbprint, exportJWK } from 'jose';
import type { EntityManager } from 'typeorm';

const generate = promisify(generateKeyPair);

export interface NewKey {
  kid: string;
  signsFrom: Date;
}

export interface Signer {
  kid: string;
  key: KeyObject;
}

/** Returns the current signing key. Creates the first one of a platform. */
export async function currentSigner(db: EntityManager, ring: KeyRing): Promise<Signer> {
  await ensureKey(db, ring);
  const [row] = await db.query<[{ kid: string; sealed: Buffer }]>(
    `select kid, private_key as sealed from signing_keys
      where signs_from <= clock_timestamp() order by signs_from desc, created_at desc limit 1`,
  );
  const bytes = open(ring, toSealContext(row.kid), row.sealed);
  return { kid: row.kid, key: createPrivateKey({ key: bytes, format: 'der', type: 'pkcs8' }) };
}

/** The advisory lock that is held while a key is created. */
export const lockKey = 7_236_402;

// clock_timestamp() and not now(), so that a process that waited for the lock sees the key that another one created.
async function ensureKey(db: EntityManager, ring: KeyRing): Promise<void> {
  const exists = async (db: EntityManager): Promise<boolean> =>
    (await db.query<unknown[]>('select from signing_keys where signs_from <= clock_timestamp() limit 1')).length > 0;
  if (await exists(db)) return;
  await db.transaction(async (db) => {
    await db.query('select pg_advisory_xact_lock($1)', [lockKey]);
    if (!(await exists(db))) await insertKey(db, ring, 0);
  });
}

export async function insertKey(db: EntityManager, ring: KeyRing, noticeSeconds: number): Promise<NewKey> {
  const { publicKey, privateKey } = await generate('ec', { namedCurve: 'P-256' });
  const jwk = await exportJWK(publicKey);
  const kid = await calculateJwkThumbprint(jwk);
  const bytes = privateKey.export({ format: 'der', type: 'pkcs8' });
  const [row] = await db.query<[NewKey]>(
    `insert into signing_keys (kid, public_jwk, private_key, signs_from)
     values ($1, $2, $3, now() + $4 * interval '1 s') returning kid, signs_from as "signsFrom"`,
    [
      kid,
      JSON.stringify({ ...jwk, kid, alg: 'ES256', use: 'sig' }),
      seal(ring, toSealContext(kid), bytes),
      noticeSeconds,
    ],
  );
  bytes.fill(0);
  return row;
}

const toSealContext = (kid: string): SealContext => ({
  table: 'signing_keys',
  column: 'private_key',
  id: kid,
  owner: 'platform',
});
