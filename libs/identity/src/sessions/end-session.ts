import { recordAudit } from '@lensforge/audit';
import type { Context } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { DeviceGrant } from '../oauth/device-grant.entity.js';

/** Ends a session. Its cookie, refresh tokens and access tokens are invalid once this has returned. */
export const endSession = (ctx: Context, sessionId: string): Promise<void> =>
  inTransaction(ctx, async (ctx) => {
    const [[ended]] = await ctx.db.query<[{ accountId: string }[], number]>(
      `update sessions s set ended_at = now() from users u where s.id = $1 and s.ended_at is null and u.id = s.user_id
       returning coalesce(u.account_id, u.id) as "accountId"`,
      [sessionId],
    );
    if (!ended) return;
    const target = { kind: 'session', id: sessionId };
    await recordAudit(ctx, { accountId: ended.accountId, action: 'user.signed_out', target });
  });

/**
 * Ends all sessions of a user except one, and unexchanged codes and grants. Returns the number of sessions. The caller writes
 * the audit entry.
 */
export const endAllSessions = (ctx: Context, userId: string, exceptId?: string): Promise<number> =>
  inTransaction(ctx, async (ctx) => {
    await ctx.db.query(
      `update authorization_codes set invalidated_at = now()
        where user_id = $1 and exchanged_at is null and invalidated_at is null and expires_at > now()`,
      [userId],
    );
    await ctx.db.update(DeviceGrant, { userId, status: 'approved' }, { status: 'denied' });
    const [, count] = await ctx.db.query<[unknown, number]>(
      'update sessions set ended_at = now() where user_id = $1 and ended_at is null and ($2::uuid is null or id <> $2)',
      [userId, exceptId ?? null],
    );
    return count;
  });
