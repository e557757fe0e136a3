import type { Community, CommunityRole, JoinPolicy } from '@lensforge/contracts';
import { type Context, newId } from '@lensforge/core';
import { Membership } from '@lensforge/identity';
import { createCommunity } from './index.js';

/** Creates a community of the caller with the given members. */
export async function aCommunity(
  ctx: Context,
  {
    joinPolicy = 'open',
    members = {},
  }: { joinPolicy?: JoinPolicy; members?: Readonly<Record<string, CommunityRole>> } = {},
): Promise<Community> {
  const id = newId();
  const community = await createCommunity(ctx, { handle: `c-${id}`, displayName: `Community ${id}`, joinPolicy });
  for (const [accountId, role] of Object.entries(members)) {
    await ctx.db.insert(Membership, { communityId: community.id, accountId, role, createdAt: ctx.now() });
  }
  return community;
}
