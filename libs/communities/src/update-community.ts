import type { Community, JoinPolicy } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { badInput } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { administeredCommunity } from '@lensforge/identity';
import { readCommunity } from './read-community.js';

export interface CommunityChange {
  communityId: string;
  displayName?: string | undefined;
  description?: string | undefined;
  joinPolicy?: JoinPolicy | undefined;
}

/** How a community is shown and joined, for its owners and admins. What is left out stays. */
export function updateCommunity(
  ctx: Context,
  { communityId, displayName, description, joinPolicy }: CommunityChange,
): Promise<Community> {
  return inTransaction(ctx, async (ctx) => {
    await administeredCommunity(ctx, communityId, 'alone');
    if (displayName === undefined && description === undefined && joinPolicy === undefined)
      throw badInput('', 'There is nothing to change: give displayName, description or joinPolicy');
    await ctx.db.query(
      `update accounts set display_name = coalesce($2, display_name), description = coalesce($3, description),
              join_policy = coalesce($4, join_policy) where id = $1`,
      [communityId, displayName?.trim() ?? null, description ?? null, joinPolicy ?? null],
    );
    return readCommunity(ctx, communityId);
  });
}
