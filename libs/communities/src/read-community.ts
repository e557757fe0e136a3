import type { Community } from '@lensforge/contracts';
import { type Context, notFound } from '@lensforge/core';
import { type CommunityRow, publicFacts, visibleCommunity } from './community-summary.js';

/** Reads a community: public facts for any caller, and more for members. */
export async function readCommunity(ctx: Context, communityId: string): Promise<Community> {
  const [found] = await ctx.db.query<CommunityRow[]>(
    `select ${publicFacts}, iso(c.created_at) as "createdAt", case when c.id = $2 then 'admin' else m.role end as role
       from accounts c left join memberships m on m.community_id = c.id and m.account_id = $2
      where c.id = $1 and c.kind = 'community' and c.disabled_at is null`,
    [communityId, ctx.actor.accountId],
  );
  if (!found) throw notFound('community', communityId);
  return visibleCommunity(found);
}
