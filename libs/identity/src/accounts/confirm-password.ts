import { type Context, DomainError, notFound } from '@lensforge/core';
import { countTry, releaseTry, releaseTryOnError, throttled } from './count-try.js';
import { isPassword } from './password.js';
import { allowances } from './throttle.js';
import { User } from './user.entity.js';

export interface GivenPassword {
  userId: string;
  password: string;
  /** The field of the form, which the error names. */
  field: string;
}

/** Requires the password of a signed-in user before a change of their credentials. Wrong passwords are throttled. */
export async function confirmPassword(
  ctx: Context,
  { userId, password, field }: GivenPassword,
): Promise<{ user: User; hash: string }> {
  const user = await ctx.db.findOneBy(User, { id: userId });
  if (!user) throw notFound('user', userId);
  const hash = user.passwordHash;
  if (hash === null) {
    throw new DomainError('CONFLICT', 'Your account has no password: you sign in with another identity provider');
  }
  const counted = await countTry(ctx, { kind: 'password', subject: userId, network: '' }, [
    { allowance: allowances.account, kinds: ['password'], subject: userId },
  ]);
  if ('wait' in counted) throw throttled(counted.wait, 'Too many attempts with a wrong password');
  const matches = await releaseTryOnError(ctx, counted.id, () => isPassword(password, hash));
  if (!matches) throw new DomainError('BAD_INPUT', `${field}: this is not your password`);
  await releaseTry(ctx, counted.id);
  return { user, hash };
}
