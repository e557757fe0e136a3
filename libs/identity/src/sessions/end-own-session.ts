import type { EndedSessions } from '@lensforge/contracts';
import { type Context, DomainError, isUuid, notFound } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { endSession } from './end-session.js';
import { signOutElsewhere } from './sign-out-elsewhere.js';

/** Ends a session of the caller, which may be the one of the request. A repeated request has no further effect. */
export const endOwnSession = (ctx: Context, sessionId: string): Promise<EndedSessions> =>
  inTransaction(ctx, async (ctx) => {
    const [own] = await ctx.db.query<{ ended: boolean }[]>(
      'select ended_at is not null as ended from sessions where id = $1 and user_id = $2 for update',
      [sessionId, ctx.actor.userId],
    );
    if (!own) throw notFound('session', sessionId);
    if (!own.ended) await endSession(ctx, sessionId);
    return { ended: own.ended ? 0 : 1 };
  });

/** Ends all sessions of the caller but the one of the request. */
export async function endOtherSessions(ctx: Context): Promise<EndedSessions> {
  const { userId, credential } = ctx.actor;
  // A person of an external issuer has no session here, which leaves none to keep.
  if (userId === null || !isUuid(credential.id))
    throw new DomainError('FORBIDDEN', 'Only a session of this platform can end the others: sign in here first');
  return { ended: await signOutElsewhere(ctx, { userId, keepSessionId: credential.id }) };
}
