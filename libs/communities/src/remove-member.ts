import { recordAudit } from '@lensforge/audit';
import type { Member } from '@lensforge/contracts';
import { type Context, DomainError } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { administeredCommunity, revokeTokensOfCreator, lockCommunity, suspendDelegations } from '@lensforge/identity';
import { requireMember, ownRole } from './access.js';
import { lastOwnerError, notTheLastOwner } from './last-owner.js';
import { mayRemove } from './role-rules.js';
import { withdrawInvites } from './withdraw-invites.js';

export interface MemberRemoval {
  communityId: string;
  accountId: string;
}

/**
 * Removes a member. The same transaction revokes the tokens that they created for the community, and suspends what they set
 * up in it. Every member may leave, except for the last owner.
 */
export function removeMember(ctx: Context, { communityId, accountId }: MemberRemoval): Promise<Member> {
  return inTransaction(ctx, async (ctx) => {
    const leaves = accountId.toLowerCase() === ctx.actor.accountId;
    const acting = leaves ? undefined : await administeredCommunity(ctx, communityId, 'exclusive');
    if (leaves) await lockAsMember(ctx, communityId);
    const member = await requireMember(ctx, communityId, accountId);
    if (acting && !mayRemove(acting, member.role))
      throw new DomainError('FORBIDDEN', `Only an owner can remove a member with the role ${member.role}`);
    const [, removed] = await ctx.db.query<[unknown, number]>(
      `delete from memberships where community_id = $1 and account_id = $2 and ${notTheLastOwner}`,
      [communityId, accountId],
    );
    if (removed === 0) throw lastOwnerError();
    await withdrawInvites(ctx, communityId, accountId);
    await recordAudit(ctx, {
      accountId: communityId.toLowerCase(),
      action: 'member.removed',
      target: { kind: 'member', id: member.accountId },
      details: { handle: member.handle, role: member.role, left: leaves },
    });
    const former = { communityId, accountId, reason: 'creator_removed' } as const;
    await revokeTokensOfCreator(ctx, former);
    await suspendDelegations(ctx, { ...former, role: member.role });
    return member;
  });
}

async function lockAsMember(ctx: Context, communityId: string): Promise<void> {
  await lockCommunity(ctx, communityId, 'exclusive');
  await ownRole(ctx, communityId);
}
