import type { Invite } from '@lensforge/contracts';
import type { Context, Page } from '@lensforge/core';
import { decodeCursor, encodeCursor } from '@lensforge/core';
import { administeredCommunity } from '@lensforge/identity';
import { inviteSummary } from './invite-summary.js';

export interface InvitePage {
  communityId: string;
  limit: number;
  cursor?: string | undefined;
}

/** The invites of a community, the newest first, for its owners and admins. */
export async function listInvites(ctx: Context, { communityId, limit, cursor }: InvitePage): Promise<Page<Invite>> {
  const after = cursor === undefined ? null : decodeCursor(cursor).id;
  await administeredCommunity(ctx, communityId);
  const rows = await ctx.db.query<Invite[]>(
    `select ${inviteSummary} from invites where community_id = $1 and ($2::uuid is null or id < $2)
      order by invites.id desc limit $3`,
    [communityId, after, limit + 1],
  );
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  const more = rows.length > limit && last;
  return { items, limit, ...(more && { nextCursor: encodeCursor({ at: last.createdAt, id: last.id }) }) };
}
