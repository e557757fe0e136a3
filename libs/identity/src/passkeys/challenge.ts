import { type Context, DomainError } from '@lensforge/core';
import type { PasskeySite } from './passkey-site.js';

export interface PasskeyChallenge {
  site: PasskeySite;
  /** At least 16 bytes that this service has made for one form, and verified when the form came back. */
  challenge: Uint8Array;
}

export const base64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');

/** Longer than the forms with challenges are valid. */
const keptFor = '1 hour';

/** Refuses a challenge that has been used before. */
export async function useChallenge(ctx: Context, challenge: Uint8Array): Promise<void> {
  const stored = await ctx.db.query<unknown[]>(
    `insert into used_passkey_challenges (challenge, expires_at) values ($1, now() + interval '${keptFor}')
     on conflict (challenge) do nothing returning challenge`,
    [Buffer.from(challenge)],
  );
  if (stored.length === 0)
    throw new DomainError('CONFLICT', 'This form has been sent before: reload the page and try again');
}
