import { recordAudit } from '@lensforge/audit';
import type { Context } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { endAllSessions } from './end-session.js';
import { getAuditAccount } from '../tokens/acting-user.js';
import { User } from '../accounts/user.entity.js';

/** Ends all other sessions of a user and returns their number. */
export const signOutElsewhere = (
  ctx: Context,
  { userId, keepSessionId }: { userId: string; keepSessionId: string },
): Promise<number> =>
  inTransaction(ctx, async (ctx) => {
    const user = await ctx.db.findOneByOrFail(User, { id: userId });
    const sessions = await endAllSessions(ctx, userId, keepSessionId);
    const target = { kind: 'user', id: userId };
    await recordAudit(ctx, {
      accountId: getAuditAccount(user),
      action: 'user.signed_out',
      target,
      details: { sessions },
    });
    return sessions;
  });
