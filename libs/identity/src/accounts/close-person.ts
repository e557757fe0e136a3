import { recordAudit } from '@lensforge/audit';
import type { Context } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { emailSubject } from './email.js';
import { endAllSessions } from '../sessions/end-session.js';
import { revokeTokensOfUser } from '../tokens/revoke-tokens-of-user.js';
import { User } from './user.entity.js';
import { Session } from '../sessions/session.entity.js';
import { Account } from './account.entity.js';

/**
 * Closes the account of a person permanently: nothing signs in or acts for it any more, and its name, its email and its ways to
 * sign in are deleted. The row stays, since others' objects name it. Run workers delete its runs afterwards.
 */
export const closePerson = (
  ctx: Context,
  { userId, accountId }: { userId: string; accountId: string },
): Promise<void> =>
  inTransaction(ctx, async (ctx) => {
    await endAllSessions(ctx, userId);
    await revokeTokensOfUser(ctx, userId);
    for (const table of ['second_factors', 'recovery_codes', 'passkeys', 'sign_in_networks', 'password_resets']) {
      await ctx.db.query(`delete from ${table} where user_id = $1`, [userId]);
    }
    const person = await ctx.db.findOne(User, { select: { id: true, email: true }, where: { id: userId } });
    if (person && person.email !== null) {
      await ctx.db.query('delete from sign_ups where lower(email) = lower($1)', [person.email]);
      await ctx.db.query('delete from auth_attempts where subject = $1', [emailSubject(person.email)]);
    }
    await ctx.db.query('delete from operators where account_id = $1', [accountId]);
    await ctx.db.query('delete from outside_identities where user_id = $1', [userId]);
    await ctx.db.update(Session, { userId }, { address: null, userAgent: null });
    await ctx.db.update(User, { id: userId }, { email: null, passwordHash: null, disabledAt: () => 'now()' });
    await ctx.db.update(
      Account,
      { id: accountId },
      {
        handle: () => `'closed-' || right(replace(id::text, '-', ''), 12)`,
        displayName: 'Closed account',
        description: '',
        disabledAt: () => 'now()',
        closedAt: () => 'now()',
      },
    );
    await recordAudit(ctx, { accountId, action: 'account.closed', target: { kind: 'account', id: accountId } });
  });
