import { simulateAudit, recordAudit } from '@lensforge/audit';
import type { Context } from '@lensforge/core';
import { DomainError } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { Account } from '../accounts/account.entity.js';
import { emailSubject, foldEmail } from '../accounts/email.js';
import { networkOf } from '../accounts/network.js';
import { hashPassword, isPassword, findSlot, needsRehash, dummyHash } from '../accounts/password.js';
import { by, recordOf } from '../tokens/record-of.js';
import type { Count } from '../accounts/count-try.js';
import { evaluated, countTry, throttled } from '../accounts/count-try.js';
import { allowances } from '../accounts/throttle.js';
import { User } from '../accounts/user.entity.js';
import { welcome } from '../accounts/welcome.js';

export interface SignIn {
  email: string;
  password: string;
  /** Where the request comes from. */
  address: string;
}

/**
 * Who has this email and password. What is refused is refused in the same words, after the same work and under the same
 * limits whether there is such a user or not.
 */
export async function signIn(ctx: Context, { email, password, address }: SignIn): Promise<User> {
  findSlot();
  const [subject, network] = [emailSubject(email), networkOf(address)];
  const { user, known, open } = await findUser(ctx, email, network);
  const counts = known ? countsOfKnown(subject, network) : countsOfStranger(subject, network);
  const made = { kind: known ? 'known_sign_in' : 'sign_in', subject, network } as const;
  const taken = await countTry(ctx, made, counts);
  if ('wait' in taken) throw throttled(taken.wait, 'Too many attempts to sign in');

  const stored = user && open ? user.passwordHash : null;
  const right = await evaluated(ctx, taken.id, () => isPassword(password, stored ?? dummyHash));
  if (!user || stored === null || !right) {
    await recordFailure(ctx, { user, tryId: taken.id, address });
    throw new DomainError('UNAUTHENTICATED', 'The email or the password is wrong');
  }
  const rehashed = needsRehash(stored) ? await evaluated(ctx, taken.id, () => hashPassword(password)) : stored;
  return inTransaction(ctx, async (ctx) => {
    if (rehashed !== stored) {
      await ctx.db.query('update users set password_hash = $3 where id = $1 and password_hash = $2', [
        user.id,
        stored,
        rehashed,
      ]);
    }
    await welcome(ctx, { userId: user.id, subject, network });
    const fact = { action: 'user.signed_in', target: { kind: 'user', id: user.id }, details: { address } } as const;
    await recordAudit(by(ctx, user), { ...fact, accountId: recordOf(user) });
    return Object.assign(user, { passwordHash: rehashed });
  });
}

interface Found {
  user: User | undefined;
  /** A place from which this user signed in of late has tries of its own, which no stranger can use up. */
  known: boolean;
  /** Neither the user nor the account was disabled. */
  open: boolean;
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
      `exists (select from sign_in_networks n where n.user_id = u.id and n.network = :network
                and n.last_at > now() - interval '30 days')`,
      'known',
    )
    .where('lower(u.email) = :email', { email: foldEmail(email), network })
    .getRawAndEntities<{ known: boolean; open: boolean }>();
  return { user, known: row?.known ?? false, open: row?.open ?? false };
}

const countsOfKnown = (subject: string, network: string): Count[] => [
  { allowance: allowances.account, kinds: ['known_sign_in'], subject, network },
  { allowance: allowances.network, kinds: ['sign_in', 'known_sign_in'], network },
];

const countsOfStranger = (subject: string, network: string): Count[] => [
  { allowance: allowances.account, kinds: ['sign_in'], subject },
  { allowance: allowances.stranger, kinds: ['sign_in'], subject, network },
  { allowance: allowances.network, kinds: ['sign_in', 'known_sign_in'], network },
];

// As much is written and committed for an unknown user, so that the answer takes as long.
const recordFailure = (
  ctx: Context,
  { user, tryId, address }: { user: User | undefined; tryId: string; address: string },
): Promise<void> =>
  inTransaction(ctx, async (ctx) => {
    await ctx.db.query('update tries set evaluated = true where id = $1', [tryId]);
    if (!user) return simulateAudit(ctx);
    const fact = {
      action: 'user.sign_in_failed',
      target: { kind: 'user', id: user.id },
      details: { address },
    } as const;
    await recordAudit(ctx, { ...fact, accountId: recordOf(user) });
  });
