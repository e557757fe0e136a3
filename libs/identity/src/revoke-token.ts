import type { Context } from '@lensforge/core';
import { isServiceRole, notFound } from '@lensforge/core';

/** Ends a token of the caller's account; nothing accepts it once this has returned. */
export async function revokeToken(ctx: Context, { tokenId }: { tokenId: string }): Promise<void> {
  const [, count] = await ctx.db.query<[unknown, number]>(
    `update api_tokens set revoked_at = coalesce(revoked_at, now()) where id = $1 and (account_id = $2 or $3)`,
    [tokenId, ctx.actor.accountId, isServiceRole(ctx)],
  );
  if (count === 0) throw notFound('token', tokenId);
}
