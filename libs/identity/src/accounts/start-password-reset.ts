import type { Context } from '@lensforge/core';
import { emailSubject, foldEmail } from './email.js';
import { toNetwork } from './network.js';
import { makeSecret } from '../tokens/secrets.js';
import { countTry, throttled } from './count-try.js';
import { allowances } from './throttle.js';

/**
 * Returns a token for an email that allows a new password within an hour. Undefined when no email must be sent: the address
 * is unknown, or got enough emails. The response to the caller must be the same either way.
 */
export async function startPasswordReset(
  ctx: Context,
  email: string,
  address?: string,
): Promise<{ token: string; userId: string } | undefined> {
  const subject = emailSubject(email);
  if (address !== undefined) {
    const network = toNetwork(address);
    const made = { kind: 'reset', subject, network } as const;
    const counted = await countTry(ctx, made, [{ allowance: allowances.resets, kinds: ['reset'], network }]);
    if ('wait' in counted) throw throttled(counted.wait, 'Too many password resets were requested from your network');
  }
  const emailTry = await countTry(ctx, { kind: 'mail', subject, network: '' }, [
    { allowance: allowances.emails, kinds: ['mail'], subject },
  ]);
  const { value, hash } = makeSecret('rst');
  const [row] = await ctx.db.query<{ userId: string }[]>(
    `insert into password_resets (token_hash, user_id, expires_at)
     select $1, id, now() + interval '1 hour' from users
      where lower(email) = $2 and disabled_at is null and $3
     returning user_id as "userId"`,
    [hash, foldEmail(email), 'id' in emailTry],
  );
  return row && { token: value, userId: row.userId };
}
