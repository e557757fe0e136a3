import type { Community } from '@lensforge/contracts';
import { type Context, type Page, type PageRequest, decodeCursor, encodeCursor, toPage } from '@lensforge/core';
import { type CommunityRow, publicFacts, visibleCommunity } from './community-summary.js';

/** Lists the communities of the caller, newest first. A token of a community gets that community. */
export async function listCommunities(ctx: Context, page: PageRequest): Promise<Page<Community>> {
  const { limit, offset = 0, cursor } = page;
  const after = cursor === undefined ? null : decodeCursor(cursor).id;
  const rows = await ctx.db.query<CommunityRow[]>(
    `with own as (
       (select m.community_id as id, m.role from memberships m
          join accounts a on a.id = m.community_id and a.disabled_at is null
         where m.account_id = $1 and ($2::uuid is null or m.community_id < $2)
         order by m.community_id desc limit $3::int + $4::int)
       union all
       select id, 'admin' from accounts where id = $1 and kind = 'community' and ($2::uuid is null or id < $2))
     select ${publicFacts}, iso(c.created_at) as "createdAt", own.role
       from own join accounts c on c.id = own.id order by c.id desc limit $3 offset $4`,
    [ctx.actor.accountId, after, limit + 1, offset],
  );
  const { items, ...rest } = toPage(rows, page, ({ createdAt: at, id }) => encodeCursor({ at, id }));
  return { ...rest, items: items.map(visibleCommunity) };
}
