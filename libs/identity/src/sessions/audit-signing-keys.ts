import { createPrivateKey, createPublicKey, generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import { type AuditPublicKey, type AuditSigner, recordAudit } from '@lensforge/audit';
import { type Context, platformActor } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { type KeyRing, SealBroken, type SealContext, open, seal } from '@lensforge/vault';
import { type JWK, calculateJwkThumbprint, exportJWK } from 'jose';
import type { PublishedKey } from './published-keys.js';

const generate = promisify(generateKeyPair);
const lockKey = 7_236_404;

type Db = Pick<Context, 'db'>;

/** Returns the key that signs statements about the audit log. Creates the first one in the caller's transaction. */
export async function currentAuditSigner(ctx: Db, ring: KeyRing): Promise<AuditSigner> {
  const current = (): Promise<{ kid: string; sealed: Buffer }[]> =>
    ctx.db.query('select kid, private_key as sealed from audit_signing_keys where retired_at is null');
  let [row] = await current();
  if (!row) {
    await ctx.db.query('select pg_advisory_xact_lock($1)', [lockKey]);
    [row] = await current();
  }
  if (!row) {
    await insertAuditKey(ctx, ring);
    [row] = await current();
  }
  if (!row) throw new Error('the signing key of the audit log was not stored');
  const bytes = open(ring, toSealContext('private_key', row.kid), row.sealed);
  try {
    return { kid: row.kid, key: createPrivateKey({ key: bytes, format: 'der', type: 'pkcs8' }) };
  } finally {
    bytes.fill(0);
  }
}

/**
 * Replaces the signing key and deletes the private key of the old one. Its public key stays to verify old signatures.
 * Undefined when there is no key yet.
 */
export function rotateAuditSigningKey(ctx: Context, ring: KeyRing): Promise<string | undefined> {
  return inTransaction(ctx, async (ctx) => {
    await ctx.db.query('select pg_advisory_xact_lock($1)', [lockKey]);
    const [, retired] = await ctx.db.query<[unknown, number]>(
      'update audit_signing_keys set private_key = null, retired_at = now() where retired_at is null',
    );
    if (retired === 0) return undefined;
    const kid = await insertAuditKey(ctx, ring);
    const target = { kind: 'audit_signing_key', id: kid };
    await recordAudit(ctx, { accountId: platformActor.accountId, action: 'key.rotated', target });
    return kid;
  });
}

/** The public keys of all keys that ever signed, newest first. */
export async function publishedAuditKeys(ctx: Db): Promise<PublishedKey[]> {
  const rows = await ctx.db.query<{ key: PublishedKey }[]>(
    'select public_jwk as key from audit_signing_keys order by created_at desc',
  );
  return rows.map(({ key }) => key);
}

/**
 * The public keys that the master key attests, by key id. A key that an attacker has added to the database is left out.
 */
export async function attestedAuditKeys(ctx: Db, ring: KeyRing): Promise<Map<string, AuditPublicKey>> {
  const rows = await ctx.db.query<{ kid: string; attestation: Buffer; retiredAt: Date | null }[]>(
    'select kid, attestation, retired_at as "retiredAt" from audit_signing_keys',
  );
  const keys = new Map<string, AuditPublicKey>();
  for (const { kid, attestation, retiredAt } of rows) {
    const jwk = attestedBy(ring, kid, attestation);
    if (jwk) keys.set(kid, { key: createPublicKey({ key: jwk, format: 'jwk' }), retiredAt: retiredAt ?? undefined });
  }
  return keys;
}

/** Parses a published key set, by key id. Throws a TypeError when the text is no key set. */
export function readAuditKeys(text: string): Map<string, AuditPublicKey> {
  const { keys } = JSON.parse(text) as { keys?: JWK[] };
  if (!Array.isArray(keys)) throw new TypeError('the key set has no list "keys"');
  return new Map(keys.map((jwk) => [String(jwk.kid), { key: createPublicKey({ key: jwk, format: 'jwk' }) }]));
}

function attestedBy(ring: KeyRing, kid: string, attestation: Buffer): JWK | undefined {
  try {
    return JSON.parse(open(ring, toSealContext('attestation', kid), attestation).toString('utf8')) as JWK;
  } catch (reason) {
    if (reason instanceof SealBroken) return undefined;
    throw reason;
  }
}

async function insertAuditKey({ db }: Db, ring: KeyRing): Promise<string> {
  const { publicKey, privateKey } = await generate('ec', { namedCurve: 'P-256' });
  const bare = await exportJWK(publicKey);
  const kid = await calculateJwkThumbprint(bare);
  const jwk = JSON.stringify({ ...bare, kid, alg: 'ES256', use: 'sig' });
  const bytes = privateKey.export({ format: 'der', type: 'pkcs8' });
  await db.query('insert into audit_signing_keys (kid, public_jwk, attestation, private_key) values ($1, $2, $3, $4)', [
    kid,
    jwk,
    seal(ring, toSealContext('attestation', kid), jwk),
    seal(ring, toSealContext('private_key', kid), bytes),
  ]);
  bytes.fill(0);
  return kid;
}

const toSealContext = (column: 'attestation' | 'private_key', kid: string): SealContext => ({
  table: 'audit_signing_keys',
  column,
  id: kid,
  owner: 'platform',
});
