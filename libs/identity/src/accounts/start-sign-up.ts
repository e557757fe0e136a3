import type { Context } from '@lensforge/core';
import { checkEmail, emailSubject } from './email.js';
import { toNetwork } from './network.js';
import { checkPassword } from './password-rules.js';
import { hashPassword } from './password.js';
import { makeSecret } from '../tokens/secrets.js';
import { countTry, throttled } from './count-try.js';
import { allowances } from './throttle.js';

export interface NewSignUp {
  email: string;
  password: string;
  /** The client's address. */
  address?: string;
}

/**
 * Returns a token for an email that confirms the address within a day. Undefined when no email must be sent: the address has
 * a user, or got enough emails. The response to the caller must be the same either way.
 */
export async function startSignUp(
  ctx: Context,
  { email: text, password, address }: NewSignUp,
): Promise<{ token: string } | undefined> {
  const email = checkEmail(text);
  checkPassword(password, email);
  const subject = emailSubject(email);
  if (address !== undefined) {
    const network = toNetwork(address);
    const made = { kind: 'sign_up', subject, network } as const;
    const counted = await countTry(ctx, made, [{ allowance: allowances.signUps, kinds: ['sign_up'], network }]);
    if ('wait' in counted) throw throttled(counted.wait, 'Too many sign-ups came from your network');
  }
  const passwordHash = await hashPassword(password);
  const emailTry = await countTry(ctx, { kind: 'mail', subject, network: '' }, [
    { allowance: allowances.emails, kinds: ['mail'], subject },
  ]);
  const { value, hash } = makeSecret('sup');
  const [row] = await ctx.db.query<{ email: string }[]>(
    `insert into sign_ups (token_hash, email, password_hash, expires_at)
     select $1, $2, $3, now() + interval '1 day'
      where $4 and not exists (select from users where lower(email) = lower($2))
     returning email`,
    [hash, email, passwordHash, 'id' in emailTry],
  );
  return row && { token: value };
}
