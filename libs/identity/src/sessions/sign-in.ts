import { simulateAudit, recordAudit } from '@lensforge/audit';
import { type Context, DomainError } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { Account } from '../accounts/account.entity.js';
import { emailSubject, foldEmail } from '../accounts/email.js';
import { toNetwork } from '../accounts/network.js';
import { hashPassword, isPassword, requireHashingSlot, needsRehash, dummyHash } from '../accounts/password.js';
import { getAuditAccount } from '../tokens/acting-user.js';
import { type TryLimit, countTry, releaseTry, releaseTryOnError, throttled } from '../accounts/count-try.js';
import { allowances } from '../accounts/throttle.js';
import { User } from '../accounts/user.entity.js';
import { completeSignIn } from './complete-sign-in.js';

export interface SignIn {
  email: string;
  password: string;
  /** The client's address. */
  address: string;
}

export interface SignInResult {
  user: User;
  /** The user is not signed in before they have given a code, too. */
  needsCode: boolean;
}

/**
 * Returns the user with this email and password. For unknown users the error, the work and the limits are the same.
 */
export async function signIn(ctx: Context, { email, password, address }: SignIn): Promise<SignInResult> {
  requireHashingSlot();
  const [subject, network] = [emailSubject(email), toNetwork(address)];
  const { user, known, open, needsCode } = await findUser(ctx, email, network);
  const limits = known ? limitsOfKnownNetwork(subject, network) : limitsOfNewNetwork(subject, network);
  const made = { kind: known ? 'known_sign_in' : 'sign_in', subject, network } as const;
  const counted = await countTry(ctx, made, limits);
  if ('wait' in counted) throw throttled(counted.wait, 'Too many attempts to sign in');

  const stored = user && open ? user.passwordHash : null;
  const matches = await releaseTryOnError(ctx, counted.id, () => isPassword(password, stored ?? dummyHash));
  if (!user || stored === null || !matches) {
    await recordFailure(ctx, { user, tryId: counted.id, address });
    throw new DomainError('UNAUTHENTICATED', 'The email or the password is wrong');
  }
  const rehashed = needsRehash(stored)
    ? await releaseTryOnError(ctx, counted.id, () => hashPassword(password))
    : stored;
  return inTransaction(ctx, async (ctx) => {
    if (rehashed !== stored) {
      await ctx.db.update(User, { id: user.id, passwordHash: stored }, { passwordHash: rehashed });
    }
    if (needsCode) await releaseTry(ctx, counted.id);
    else await completeSignIn(ctx, user, address);
    return { user: Object.assign(user, { passwordHash: rehashed }), needsCode };
  });
}

interface Found {
  user: User | undefined;
  /** True for a network from which the user has signed in recently. Its tries are counted separately. */
  known: boolean;
  /** True when neither the user nor the account is disabled. */
  open: boolean;
  /** True for a user with a second factor. */
  needsCode: boolean;
}

async function findUser(ctx: Context, email: string, network: string): Promise<Found> {
  const {
    entities: [user],
    raw: [row],
  } = await ctx.db
    .createQueryBuilder(User, 'u')
    .leftJoin(Account, 'a', 'a.id = u.account_id')
    .addSelect('u.disabled_at is null and a.disabled_at is null', 'open')
    .addSelect(
      'exists (select from second_factors f where f.user_id = u.id and f.confirmed_at is not null)',
      'needsCode',
    )
    .addSelect(
      `exists (select from sign_in_networks n where n.user_id = u.id and n.network = :network
                and n.last_at > now() - interval '30 days')`,
      'known',
    )
    .where('lower(u.email) = :email', { email: foldEmail(email), network })
    .getRawAndEntities<{ known: boolean; open: boolean; needsCode: boolean }>();
  return {
    user,
    known: row?.known ?? false,
    open: row?.open ?? false,
    needsCode: row?.needsCode ?? false,
  };
}

const limitsOfKnownNetwork = (subject: string, network: string): TryLimit[] => [
  { allowance: allowances.account, kinds: ['known_sign_in'], subject, network },
  { allowance: allowances.network, kinds: ['sign_in', 'known_sign_in'], network },
];

const limitsOfNewNetwork = (subject: string, network: string): TryLimit[] => [
  { allowance: allowances.account, kinds: ['sign_in'], subject },
  { allowance: allowances.accountFromNetwork, kinds: ['sign_in'], subject, network },
  { allowance: allowances.network, kinds: ['sign_in', 'known_sign_in'], network },
];

// For an unknown user the same amount is written, so that the response takes equally long.
const recordFailure = (
  ctx: Context,
  { user, tryId, address }: { user: User | undefined; tryId: string; address: string },
): Promise<void> =>
  inTransaction(ctx, async (ctx) => {
    await ctx.db.query('update auth_attempts set evaluated = true where id = $1', [tryId]);
    if (!user) return simulateAudit(ctx);
    const fact = {
      action: 'user.sign_in_failed',
      target: { kind: 'user', id: user.id },
      details: { address },
    } as const;
    await recordAudit(ctx, { ...fact, accountId: getAuditAccount(user) });
  });
