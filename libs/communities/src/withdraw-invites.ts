import type { Context } from '@lensforge/core';

/** Revokes the open invites of a former administrator, in the transaction that ends their role. */
export async function withdrawInvites(ctx: Context, communityId: string, invitedBy: string): Promise<void> {
  await ctx.db.query(
    `update invites set revoked_at = now()
      where community_id = $1 and invited_by = $2 and accepted_at is null and revoked_at is null`,
    [communityId, invitedBy],
  );
}
