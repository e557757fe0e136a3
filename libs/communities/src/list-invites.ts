import type { Invite } from '@lensforge/contracts';
import { type Context, type Page, type PageRequest, cursorOfRow, decodeCursor, toPage } from '@lensforge/core';
import { administeredCommunity } from '@lensforge/identity';
import { inviteSummary } from './invite-summary.js';

export interface InvitePage extends PageRequest {
  communityId: string;
}

/** Lists the invites of a community, newest first. Only owners and admins may. */
export async function listInvites(ctx: Context, { communityId, ...page }: InvitePage): Promise<Page<Invite>> {
  const { limit, offset = 0, cursor } = page;
  const after = cursor === undefined ? null : decodeCursor(cursor).id;
  await administeredCommunity(ctx, communityId);
  const rows = await ctx.db.query<Invite[]>(
    `select ${inviteSummary} from invites where community_id = $1 and ($2::uuid is null or id < $2)
      order by invites.id desc limit $3 offset $4`,
    [communityId, after, limit + 1, offset],
  );
  return toPage(rows, page, cursorOfRow);
}
