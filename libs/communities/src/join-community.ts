import { recordAudit } from '@lensforge/audit';
import type { CommunityRole, Member } from '@lensforge/contracts';
import { type Context, DomainError, noAccountId } from '@lensforge/core';
import { publishEvent, inTransaction } from '@lensforge/database';
import { Membership, hashToken, lockCommunity } from '@lensforge/identity';
import { findMember, requireMember } from './access.js';

export interface JoinRequest {
  communityId: string;
  /** The value of an invite. */
  invite?: string | undefined;
}

/** Makes the caller a member. An existing member keeps their role and uses no invite. */
export function joinCommunity(ctx: Context, { communityId, invite }: JoinRequest): Promise<Member> {
  const { accountId, credential, userId } = ctx.actor;
  if ((credential.kind !== 'session' && credential.kind !== 'developer') || accountId === noAccountId)
    throw new DomainError('FORBIDDEN', 'Only a person can join a community: use a session or developer token');
  return inTransaction(ctx, async (ctx) => {
    await lockCommunity(ctx, communityId, 'exclusive');
    const already = await findMember(ctx, communityId, accountId);
    if (already) return already;
    const role =
      invite === undefined ? await roleWithoutInvite(ctx, communityId) : await redeemInvite(ctx, communityId, invite);
    await ctx.db.insert(Membership, { communityId, accountId, role, createdAt: ctx.now() });
    const member = await requireMember(ctx, communityId, accountId);
    await publishEvent(ctx, communityId, 'member.joined', {
      userId: userId ?? accountId,
      workspaceId: communityId.toLowerCase(),
    });
    await recordAudit(ctx, {
      accountId: communityId.toLowerCase(),
      action: 'member.joined',
      target: { kind: 'member', id: accountId },
      details: { handle: member.handle, role, invited: invite !== undefined },
    });
    return member;
  });
}

async function roleWithoutInvite(ctx: Context, communityId: string): Promise<CommunityRole> {
  const open = await ctx.db.query<unknown[]>(`select from accounts where id = $1 and join_policy = 'open'`, [
    communityId,
  ]);
  if (open.length > 0) return 'member';
  throw new DomainError('FORBIDDEN', 'Joining this community needs an invite: ask one of its owners or admins for one');
}

/** Accepts the invite by one conditional update, so that only one of several concurrent callers succeeds. */
async function redeemInvite(ctx: Context, communityId: string, invite: string): Promise<CommunityRole> {
  const [[accepted]] = await ctx.db.query<[{ role: CommunityRole }[], number]>(
    `update invites set accepted_by = $3, accepted_at = now()
      where token_hash = $2 and community_id = $1 and accepted_at is null and revoked_at is null and expires_at > now()
      returning role`,
    [communityId, hashToken(invite), ctx.actor.accountId],
  );
  if (accepted) return accepted.role;
  throw new DomainError(
    'FORBIDDEN',
    'The invite is not valid: it is for another community, used, revoked or expired; ask for a new one',
  );
}
