import { createPrivateKey, generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import { recordAudit } from '@lensforge/audit';
import type { Context } from '@lensforge/core';
import { newId, platformActor } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import type { BoundTo, KeyRing } from '@lensforge/vault';
import { open, seal } from '@lensforge/vault';
import type { JWK } from 'jose';
import { SignJWT, calculateJwkThumbprint, exportJWK } from 'jose';
import type { EntityManager } from 'typeorm';
import type { SessionAudience, SessionClaims } from './session-claims.js';
import { accessSeconds } from './session-claims.js';

const generate = promisify(generateKeyPair);

/** A key is published this long before it signs: longer than anybody may keep a copy of the published keys. */
export const keyNoticeSeconds = 600;
/** And this long after it signed for the last time: until its last token has expired, and some more. */
const keyAfterlifeSeconds = accessSeconds + 600;
/** How long a process goes on signing with the key that it has looked up. */
const keptMs = 60_000;

export interface PublishedKey extends JWK {
  kid: string;
  alg: 'ES256';
  use: 'sig';
}

export interface SigningKeys {
  readonly issuer: string;
  /** A token of an hour for these claims. */
  sign(ctx: Context, claims: SessionClaims, audience: readonly SessionAudience[]): Promise<string>;
}

export interface SigningKeysOptions {
  db: EntityManager;
  ring: KeyRing;
  issuer: string;
}

export interface Signer {
  kid: string;
  key: ReturnType<typeof createPrivateKey>;
}

/** The key that signs at this moment. The first one of a platform is made here, by whichever process comes first. */
export async function currentSigner(db: EntityManager, ring: KeyRing): Promise<Signer> {
  await ensureKey(db, ring);
  const [row] = await db.query<[{ kid: string; sealed: Buffer }]>(
    `select kid, private_key as sealed from signing_keys
      where signs_from <= now() order by signs_from desc, created_at desc limit 1`,
  );
  const bytes = open(ring, place(row.kid), row.sealed);
  return { kid: row.kid, key: createPrivateKey({ key: bytes, format: 'der', type: 'pkcs8' }) };
}

/** What tokens are signed with. */
export async function openSigningKeys({ db, ring, issuer }: SigningKeysOptions): Promise<SigningKeys> {
  const find = (): Promise<Signer> => currentSigner(db, ring);
  let kept = { signer: find(), until: performance.now() + keptMs };
  await kept.signer;
  const signer = (): Promise<Signer> => {
    if (performance.now() > kept.until) kept = { signer: find(), until: performance.now() + keptMs };
    kept.signer.catch(() => (kept.until = 0));
    return kept.signer;
  };

  return {
    issuer,
    sign: async (ctx, claims, audience) => {
      const { kid, key } = await signer();
      const now = Math.floor(ctx.now().getTime() / 1000);
      return new SignJWT({ ...claims })
        .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid })
        .setIssuer(issuer)
        .setAudience([...audience])
        .setJti(newId())
        .setIssuedAt(now)
        .setNotBefore(now)
        .setExpirationTime(now + accessSeconds)
        .sign(key);
    },
  };
}

/** The public halves, newest first: the next one, the one that signs, and those whose tokens may still be about. */
export async function publishedKeys(ctx: Pick<Context, 'db'>): Promise<PublishedKey[]> {
  const rows = await ctx.db.query<{ key: PublishedKey }[]>(
    `select public_jwk as key from signing_keys where retires_at is null or retires_at > now() order by signs_from desc`,
  );
  return rows.map(({ key }) => key);
}

export interface KeyRotation {
  kid: string;
  signsFrom: Date;
}

/**
 * Publishes the next key. It signs once everybody has had the time to see it; the one before stays published until its
 * last token has expired. While a next key waits for its turn, that one is the answer.
 */
export function rotateSigningKeys(ctx: Context, ring: KeyRing): Promise<KeyRotation> {
  return inTransaction(ctx, async (ctx) => {
    await ctx.db.query('select pg_advisory_xact_lock($1)', [lockKey]);
    const [waiting] = await ctx.db.query<KeyRotation[]>(
      `select kid, signs_from as "signsFrom" from signing_keys where signs_from > now()`,
    );
    if (waiting) return waiting;
    const made = await insertKey(ctx.db, ring, keyNoticeSeconds);
    await ctx.db.query(
      `update signing_keys set retires_at = $2::timestamptz + $3 * interval '1 s' where retires_at is null and kid <> $1`,
      [made.kid, made.signsFrom, keyAfterlifeSeconds],
    );
    const target = { kind: 'signing_key', id: made.kid };
    await recordAudit(ctx, { accountId: platformActor.accountId, action: 'key.rotated', target });
    return made;
  });
}

const lockKey = 7_236_402;

async function ensureKey(db: EntityManager, ring: KeyRing): Promise<void> {
  const exists = async (db: EntityManager): Promise<boolean> =>
    (await db.query<unknown[]>('select from signing_keys where signs_from <= now() limit 1')).length > 0;
  if (await exists(db)) return;
  await db.transaction(async (db) => {
    await db.query('select pg_advisory_xact_lock($1)', [lockKey]);
    if (!(await exists(db))) await insertKey(db, ring, 0);
  });
}

async function insertKey(db: EntityManager, ring: KeyRing, noticeSeconds: number): Promise<KeyRotation> {
  const { publicKey, privateKey } = await generate('ec', { namedCurve: 'P-256' });
  const jwk = await exportJWK(publicKey);
  const kid = await calculateJwkThumbprint(jwk);
  const bytes = privateKey.export({ format: 'der', type: 'pkcs8' });
  const [row] = await db.query<[KeyRotation]>(
    `insert into signing_keys (kid, public_jwk, private_key, signs_from)
     values ($1, $2, $3, now() + $4 * interval '1 s') returning kid, signs_from as "signsFrom"`,
    [kid, JSON.stringify({ ...jwk, kid, alg: 'ES256', use: 'sig' }), seal(ring, place(kid), bytes), noticeSeconds],
  );
  bytes.fill(0);
  return row;
}

const place = (kid: string): BoundTo => ({ table: 'signing_keys', column: 'private_key', id: kid, owner: 'platform' });
