import type { Member } from '@lensforge/contracts';
import { type Context, type Page, type PageRequest, decodeCursor, encodeCursor, toPage } from '@lensforge/core';
import { membersWhere, ownRole } from './access.js';

export interface MemberPage extends PageRequest {
  communityId: string;
}

/** Lists the members of a community for its members. */
export async function listMembers(ctx: Context, { communityId, ...page }: MemberPage): Promise<Page<Member>> {
  const { limit, offset = 0, cursor } = page;
  const after = cursor === undefined ? null : decodeCursor(cursor).id;
  await ownRole(ctx, communityId);
  const rows = await ctx.db.query<Member[]>(
    `${membersWhere('m.community_id = $1 and ($2::uuid is null or m.account_id > $2)')} order by m.account_id limit $3 offset $4`,
    [communityId, after, limit + 1, offset],
  );
  return toPage(rows, page, ({ joinedAt: at, accountId: id }) => encodeCursor({ at, id }));
}
