import { recordAudit } from '@lensforge/audit';
import type { Invite } from '@lensforge/contracts';
import { type Context, DomainError, notFound } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { administeredCommunity } from '@lensforge/identity';
import { inviteSummary } from './invite-summary.js';

/** Revokes an unused invite. Revoking it again changes nothing. */
export function revokeInvite(
  ctx: Context,
  { communityId, inviteId }: { communityId: string; inviteId: string },
): Promise<Invite> {
  return inTransaction(ctx, async (ctx) => {
    await administeredCommunity(ctx, communityId, 'shared');
    const [[ended]] = await ctx.db.query<[Invite[], number]>(
      `update invites set revoked_at = now()
        where id = $1 and community_id = $2 and revoked_at is null and accepted_at is null returning ${inviteSummary}`,
      [inviteId, communityId],
    );
    if (!ended) return findEndedInvite(ctx, communityId, inviteId);
    await recordAudit(ctx, {
      accountId: communityId.toLowerCase(),
      action: 'invite.revoked',
      target: { kind: 'invite', id: ended.id },
      details: { role: ended.role },
    });
    return ended;
  });
}

async function findEndedInvite({ db }: Context, communityId: string, inviteId: string): Promise<Invite> {
  const [found] = await db.query<Invite[]>(`select ${inviteSummary} from invites where id = $1 and community_id = $2`, [
    inviteId,
    communityId,
  ]);
  if (!found) throw notFound('invite', inviteId);
  if (found.acceptedAt !== null) throw new DomainError('CONFLICT', 'This invite was used: remove the member instead');
  return found;
}
