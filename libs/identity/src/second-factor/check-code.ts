import { recordAudit } from '@lensforge/audit';
import { type Context, DomainError } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import type { KeyRing } from '@lensforge/vault';
import { countTry, releaseTry, releaseTryOnError, throttled } from '../accounts/count-try.js';
import { allowances } from '../accounts/throttle.js';
import type { User } from '../accounts/user.entity.js';
import { asUser, getAuditAccount } from '../tokens/acting-user.js';
import { useRecoveryCode } from './recovery-codes.js';
import { openTotpSecret, readSecondFactor } from './stored-secret.js';
import { matchingStep } from './totp.js';

export interface GivenCode {
  user: User;
  /** A code of the authenticator app, or a recovery code. */
  code: string;
}

/** Uses up a code of the app or a recovery code, and returns whether it was valid. Wrong codes are throttled. */
export async function takeCode(ctx: Context, ring: KeyRing, { user, code }: GivenCode): Promise<boolean> {
  const counted = await countTry(ctx, { kind: 'second_factor', subject: user.id, network: '' }, [
    { allowance: allowances.account, kinds: ['second_factor'], subject: user.id },
  ]);
  if ('wait' in counted) throw throttled(counted.wait, 'Too many wrong codes');
  const typed = code.replace(/\s/g, '');
  const valid = await releaseTryOnError(ctx, counted.id, () =>
    /^\d{6}$/.test(typed) ? takeAppCode(ctx, ring, user.id, typed) : takeRecoveryCode(ctx, user, typed),
  );
  if (valid) await releaseTry(ctx, counted.id);
  return valid;
}

/** The same for a signed-in user, with an error for a wrong code. */
export async function requireCode(ctx: Context, ring: KeyRing, given: GivenCode): Promise<void> {
  if (!(await takeCode(ctx, ring, given))) throw wrongCode('BAD_INPUT');
}

export const wrongCode = (code: 'BAD_INPUT' | 'UNAUTHENTICATED'): DomainError =>
  new DomainError(code, 'code: it is not valid; wait for the next one of the app, or use a recovery code', {
    field: 'code',
  });

async function takeAppCode(ctx: Context, ring: KeyRing, userId: string, code: string): Promise<boolean> {
  const stored = await readSecondFactor(ctx, userId);
  const step = stored && matchingStep(openTotpSecret(ring, userId, stored.secret), code, ctx.now());
  if (step === undefined) return false;
  const [, count] = await ctx.db.query<[unknown, number]>(
    'update second_factors set last_step = $2 where user_id = $1 and last_step < $2',
    [userId, step],
  );
  return count === 1;
}

const takeRecoveryCode = (ctx: Context, user: User, code: string): Promise<boolean> =>
  inTransaction(ctx, async (ctx) => {
    if (!(await useRecoveryCode(ctx, user.id, code))) return false;
    const target = { kind: 'user', id: user.id };
    await recordAudit(asUser(ctx, user), { accountId: getAuditAccount(user), action: 'recovery_code.used', target });
    return true;
  });
