import type { Context } from '@lensforge/core';

/** What somebody promised while they administered a community does not outlive that; in the same transaction. */
export async function withdrawInvites(ctx: Context, communityId: string, invitedBy: string): Promise<void> {
  await ctx.db.query(
    `update invites set revoked_at = now()
      where community_id = $1 and invited_by = $2 and accepted_at is null and revoked_at is null`,
    [communityId, invitedBy],
  );
}
