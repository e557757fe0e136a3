import type { Context } from '@lensforge/core';
import { IsNull } from 'typeorm';
import { Invite } from './invite.entity.js';

/** Revokes the open invites of a former administrator, in the transaction that ends their role. */
export async function withdrawInvites(ctx: Context, communityId: string, invitedBy: string): Promise<void> {
  await ctx.db.update(
    Invite,
    { communityId, invitedBy, acceptedAt: IsNull(), revokedAt: IsNull() },
    { revokedAt: () => 'now()' },
  );
}
