import { type Context, notFound } from '@lensforge/core';
import { asUser } from './acting-user.js';
import { revokeTokens } from './revoke-tokens.js';
import type { TokenKind } from './token.js';
import { User } from '../accounts/user.entity.js';

/** The kinds of tokens with which programs act for a person. */
export const personalTokenKinds: readonly TokenKind[] = ['mcp', 'developer', 'service'];

/** Revokes all tokens that act for an authenticated user and returns their number. */
export async function revokeTokensOfUser(ctx: Context, userId: string): Promise<{ revoked: number }> {
  const user = await ctx.db.findOneBy(User, { id: userId });
  if (!user) throw notFound('user', userId);
  return user.accountId === null ? { revoked: 0 } : revokeTokens(asUser(ctx, user), { kinds: personalTokenKinds });
}
