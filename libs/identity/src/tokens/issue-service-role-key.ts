import { recordAudit } from '@lensforge/audit';
import { type Context, newId, noAccountId } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import type { KeyRing } from '@lensforge/vault';
import { SignJWT } from 'jose';
import { currentSigner } from '../sessions/signing-key.js';

export interface ServiceRoleKeyRequest {
  ring: KeyRing;
  issuer: string;
}

/**
 * Issues a key that gives the tools on this machine full access. It has no expiry: it is valid until the signing key retires
 * after the next rotation.
 */
export function issueServiceRoleKey(ctx: Context, { ring, issuer }: ServiceRoleKeyRequest): Promise<string> {
  return inTransaction(ctx, async (ctx) => {
    const { kid, key } = await currentSigner(ctx.db, ring);
    const id = newId();
    const value = await new SignJWT({ role: 'service_role' })
      .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid })
      .setIssuer(issuer)
      .setAudience('lensforge:stdio')
      .setSubject('service_role')
      .setJti(id)
      .setIssuedAt(Math.floor(ctx.now().getTime() / 1000))
      .sign(key);
    await recordAudit(ctx, {
      accountId: noAccountId,
      action: 'token.created',
      target: { kind: 'service_role_key', id },
    });
    return value;
  });
}
