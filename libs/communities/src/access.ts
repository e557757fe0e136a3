import type { CommunityRole, Member } from '@lensforge/contracts';
import { type Context, isServiceRole, notFound } from '@lensforge/core';
import { roleIn } from '@lensforge/identity';

/** The caller's role in a community. For callers that are no members the community does not exist. */
export async function ownRole(ctx: Context, communityId: string): Promise<CommunityRole> {
  const role = isServiceRole(ctx) ? 'owner' : await roleIn(ctx, communityId);
  if (role === undefined) throw notFound('community', communityId);
  return role;
}

const memberSummary = `m.account_id as "accountId", a.handle, a.display_name as "displayName", m.role,
  iso(m.created_at) as "joinedAt"`;

/** SQL query for the members that meet a condition. */
export const membersWhere = (condition: string): string =>
  `select ${memberSummary} from memberships m join accounts a on a.id = m.account_id where ${condition}`;

export async function findMember(ctx: Context, communityId: string, accountId: string): Promise<Member | undefined> {
  const [found] = await ctx.db.query<Member[]>(membersWhere('m.community_id = $1 and m.account_id = $2'), [
    communityId,
    accountId,
  ]);
  return found;
}

export async function requireMember(ctx: Context, communityId: string, accountId: string): Promise<Member> {
  const found = await findMember(ctx, communityId, accountId);
  if (!found) throw notFound('member', accountId);
  return found;
}
