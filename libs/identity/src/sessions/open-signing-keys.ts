import type { Context } from '@lensforge/core';
import { newId } from '@lensforge/core';
import type { KeyRing } from '@lensforge/vault';
import { SignJWT } from 'jose';
import type { EntityManager } from 'typeorm';
import type { SessionAudience, SessionClaims } from './session-claims.js';
import { accessSeconds } from './session-claims.js';
import type { Signer } from './signing-key.js';
import { currentSigner } from './signing-key.js';

/** How long a process goes on signing with the key that it has looked up. */
const keptMs = 60_000;

export interface SigningKeys {
  readonly issuer: string;
  /** The same keys for tokens that name another issuer: one service is known by several addresses. */
  under(issuer: string): SigningKeys;
  /** A token of an hour for these claims. */
  sign(ctx: Context, claims: SessionClaims, audience: readonly SessionAudience[]): Promise<string>;
}

export interface SigningKeysOptions {
  db: EntityManager;
  ring: KeyRing;
  issuer: string;
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

  return keysOf(issuer, signer);
}

const keysOf = (issuer: string, signer: () => Promise<Signer>): SigningKeys => ({
  issuer,
  under: (other) => keysOf(other, signer),
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
