import type { Context } from '@lensforge/core';

/** Revokes a token without an access check; true when it was valid before. The caller checks the access. */
export async function revokeTokenRow(ctx: Context, tokenId: string): Promise<boolean> {
  const [, revoked] = await ctx.db.query<[unknown, number]>(
    'update api_tokens set revoked_at = $2 where id = $1 and revoked_at is null',
    [tokenId, ctx.now()],
  );
  return revoked === 1;
}
