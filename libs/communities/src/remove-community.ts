import { recordAudit } from '@lensforge/audit';
import type { Community } from '@lensforge/contracts';
import { type Context, DomainError } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { administeredCommunity } from '@lensforge/identity';
import { readCommunity } from './read-community.js';

/** Deletes a community: no client can reach it, and its tokens stop working. Its handle stays reserved. */
export function removeCommunity(ctx: Context, { communityId }: { communityId: string }): Promise<Community> {
  return inTransaction(ctx, async (ctx) => {
    const role = await administeredCommunity(ctx, communityId, 'exclusive');
    if (role !== 'owner') throw new DomainError('FORBIDDEN', 'Only an owner can delete the community');
    const community = await readCommunity(ctx, communityId);
    await ctx.db.query('update accounts set disabled_at = now() where id = $1', [communityId]);
    await recordAudit(ctx, {
      accountId: community.id,
      action: 'community.removed',
      target: { kind: 'community', id: community.id },
      details: { handle: community.handle },
    });
    return community;
  });
}
