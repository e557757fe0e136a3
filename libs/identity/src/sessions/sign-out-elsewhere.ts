import { recordAudit } from '@lensforge/audit';
import type { Context } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { endSessionsOf } from './end-session.js';
import { recordOf } from '../tokens/record-of.js';
import { User } from '../accounts/user.entity.js';

/** Ends every session of a user but the one they are in; says how many there were. */
export const signOutElsewhere = (
  ctx: Context,
  { userId, keepSessionId }: { userId: string; keepSessionId: string },
): Promise<number> =>
  inTransaction(ctx, async (ctx) => {
    const user = await ctx.db.findOneByOrFail(User, { id: userId });
    const sessions = await endSessionsOf(ctx, userId, keepSessionId);
    const target = { kind: 'user', id: userId };
    await recordAudit(ctx, { accountId: recordOf(user), action: 'user.signed_out', target, details: { sessions } });
    return sessions;
  });
