import type { Community } from '@lensforge/contracts';

/** What anybody may know of a row `c` of accounts, in SQL. */
export const publicFacts = `c.id, c.handle, c.display_name as "displayName", c.description,
  coalesce(c.join_policy, 'invite') as "joinPolicy",
  (select count(*)::int from memberships where community_id = c.id) as "memberCount"`;

export interface CommunityRow extends Omit<Community, 'role' | 'createdAt'> {
  role: NonNullable<Community['role']> | null;
  createdAt: string;
}

/** Without a role nothing is told but what anybody may know. */
export const visibleCommunity = ({ role, createdAt, ...facts }: CommunityRow): Community =>
  role === null ? facts : { ...facts, role, createdAt };
