import type { Community, JoinPolicy } from '@lensforge/contracts';
import { type Context, badInput } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { administeredCommunity } from '@lensforge/identity';
import { readCommunity } from './read-community.js';

export interface CommunityChange {
  communityId: string;
  displayName?: string | undefined;
  description?: string | undefined;
  joinPolicy?: JoinPolicy | undefined;
}

/** Changes the profile and join policy of a community. Omitted members stay unchanged. Only owners and admins may. */
export function updateCommunity(
  ctx: Context,
  { communityId, displayName, description, joinPolicy }: CommunityChange,
): Promise<Community> {
  return inTransaction(ctx, async (ctx) => {
    await administeredCommunity(ctx, communityId, 'exclusive');
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
