import type { Context } from '@lensforge/core';
import type { SigningKeys } from './open-signing-keys.js';
import { type SessionAudience, accessSeconds, audiences } from './session-claims.js';

export interface AnonymousToken {
  accessToken: string;
  expiresIn: number;
}

/** Issues an anonymous token, valid for an hour. */
export async function issueAnonymousToken(
  ctx: Context,
  keys: SigningKeys,
  { clientId, audience = audiences }: { clientId?: string; audience?: readonly SessionAudience[] } = {},
): Promise<AnonymousToken> {
  const claims = {
    sub: 'anonymous',
    role: 'anonymous',
    ...(clientId === undefined ? {} : { client_id: clientId }),
  } as const;
  return { accessToken: await keys.sign(ctx, claims, audience), expiresIn: accessSeconds };
}
