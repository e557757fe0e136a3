import type { Member } from '@lensforge/contracts';
import type { Context, Page } from '@lensforge/core';
import { decodeCursor, encodeCursor } from '@lensforge/core';
import { membersWhere, ownRole } from './access.js';

export interface MemberPage {
  communityId: string;
  limit: number;
  cursor?: string | undefined;
}

/** Who belongs to a community, told to those who do. */
export async function listMembers(ctx: Context, { communityId, limit, cursor }: MemberPage): Promise<Page<Member>> {
  const after = cursor === undefined ? null : decodeCursor(cursor).id;
  await ownRole(ctx, communityId);
  const rows = await ctx.db.query<Member[]>(
    `${membersWhere('m.community_id = $1 and ($2::uuid is null or m.account_id > $2)')} order by m.account_id limit $3`,
    [communityId, after, limit + 1],
  );
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  const more = rows.length > limit && last;
  return { items, limit, ...(more && { nextCursor: encodeCursor({ at: last.joinedAt, id: last.accountId }) }) };
}
