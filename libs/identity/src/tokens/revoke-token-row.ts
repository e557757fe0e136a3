import type { Context } from '@lensforge/core';
import { IsNull } from 'typeorm';
import { ApiToken } from './api-token.entity.js';

/** Revokes a token without an access check; true when it was valid before. The caller checks the access. */
export async function revokeTokenRow(ctx: Context, tokenId: string): Promise<boolean> {
  const { affected: revoked } = await ctx.db.update(
    ApiToken,
    { id: tokenId, revokedAt: IsNull() },
    { revokedAt: ctx.now() },
  );
  return revoked === 1;
}
