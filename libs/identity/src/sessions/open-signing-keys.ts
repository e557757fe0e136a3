import { type Context, newId } from '@lensforge/core';
import type { KeyRing } from '@lensforge/vault';
import { SignJWT } from 'jose';
import type { EntityManager } from 'typeorm';
import { type SessionAudience, type SessionClaims, accessSeconds } from './session-claims.js';
import { type Signer, currentSigner } from './signing-key.js';

/** How long a process caches the signing key. */
const cacheMs = 60_000;

export interface SigningKeys {
  readonly issuer: string;
  /** Returns the same keys for tokens of another issuer URL of the same service. */
  withIssuer(issuer: string): SigningKeys;
  /** Signs a token with these claims, valid for an hour. */
  sign(ctx: Context, claims: SessionClaims, audience: readonly SessionAudience[]): Promise<string>;
}

export interface SigningKeysOptions {
  db: EntityManager;
  ring: KeyRing;
  issuer: string;
}

/** Loads the keys that sign session tokens. */
export async function openSigningKeys({ db, ring, issuer }: SigningKeysOptions): Promise<SigningKeys> {
  const find = (): Promise<Signer> => currentSigner(db, ring);
  let cached = { signer: find(), until: performance.now() + cacheMs };
  await cached.signer;
  const signer = (): Promise<Signer> => {
    if (performance.now() > cached.until) cached = { signer: find(), until: performance.now() + cacheMs };
    cached.signer.catch(() => (cached.until = 0));
    return cached.signer;
  };

  return createSigningKeys(issuer, signer);
}

const createSigningKeys = (issuer: string, signer: () => Promise<Signer>): SigningKeys => ({
  issuer,
  withIssuer: (other) => createSigningKeys(other, signer),
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
});
