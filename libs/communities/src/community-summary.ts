import type { Community } from '@lensforge/contracts';

/** SQL columns of a community that any caller may see; `c` is its row of accounts. */
export const publicFacts = `c.id, c.handle, c.display_name as "displayName", c.description,
  coalesce(c.join_policy, 'invite') as "joinPolicy",
  (select count(*)::int from memberships where community_id = c.id) as "memberCount"`;

export interface CommunityRow extends Omit<Community, 'role' | 'createdAt'> {
  role: NonNullable<Community['role']> | null;
  createdAt: string;
}

/** Reduces the row to public facts for a caller without a role. */
export const visibleCommunity = ({ role, createdAt, ...facts }: CommunityRow): Community =>
  role === null ? facts : { ...facts, role, createdAt };
