import { recordAudit } from '@lensforge/audit';
import type { CommunityRole, Member } from '@lensforge/contracts';
import { type Context, DomainError } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { administeredCommunity, revokeTokensOfCreator, suspendDelegations } from '@lensforge/identity';
import { requireMember } from './access.js';
import { lastOwnerError, notTheLastOwner } from './last-owner.js';
import { mayGiveRole } from './role-rules.js';
import { withdrawInvites } from './withdraw-invites.js';

export interface RoleChange {
  communityId: string;
  accountId: string;
  role: CommunityRole;
}

/**
 * Changes the role of a member. A lock serialises changes within one community. A member who stops being an owner or admin
 * loses the tokens that they created for the community; what they set up in it is suspended.
 */
export function setRole(ctx: Context, { communityId, accountId, role }: RoleChange): Promise<Member> {
  return inTransaction(ctx, async (ctx) => {
    const acting = await administeredCommunity(ctx, communityId, 'exclusive');
    const member = await requireMember(ctx, communityId, accountId);
    const isSelf = member.accountId === ctx.actor.accountId;
    if (!mayGiveRole(acting, { from: member.role, to: role, isSelf }))
      throw new DomainError('FORBIDDEN', `Only an owner can change a role from ${member.role} to ${role}`);
    if (member.role === role) return member;
    const [, changed] = await ctx.db.query<[unknown, number]>(
      `update memberships set role = $3 where community_id = $1 and account_id = $2 and ${notTheLastOwner}`,
      [communityId, accountId, role],
    );
    if (changed === 0) throw lastOwnerError();
    if (role !== 'owner') await withdrawInvites(ctx, communityId, accountId);
    await recordAudit(ctx, {
      accountId: communityId.toLowerCase(),
      action: 'role.changed',
      target: { kind: 'member', id: member.accountId },
      details: { handle: member.handle, from: member.role, to: role },
    });
    if (role !== 'owner' && role !== 'admin') {
      const former = { communityId, accountId, reason: 'creator_demoted' } as const;
      await revokeTokensOfCreator(ctx, former);
      await suspendDelegations(ctx, { ...former, role: member.role });
    }
    return { ...member, role };
  });
}
