import type { Context } from '@lensforge/core';

/** True when it was still in force; for use cases that have found out by themselves who may revoke it. */
export async function revokeTokenRow(ctx: Context, tokenId: string): Promise<boolean> {
  const [, revoked] = await ctx.db.query<[unknown, number]>(
    'update api_tokens set revoked_at = $2 where id = $1 and revoked_at is null',
    [tokenId, ctx.now()],
  );
  return revoked === 1;
}
