import { recordAudit } from '@lensforge/audit';
import { type Context, notFound } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { ownTokens } from './own-tokens.js';
import type { TokenKind } from './token.js';

export interface TokensToRevoke {
  kinds: readonly TokenKind[];
  /** Defaults to the caller's own account. */
  communityId?: string | undefined;
}

/** Revokes all tokens of these kinds of an account, including the caller's own, and returns their number. */
export function revokeTokens(ctx: Context, { kinds, communityId }: TokensToRevoke): Promise<{ revoked: number }> {
  const accountId = communityId?.toLowerCase() ?? ctx.actor.accountId;
  return inTransaction(ctx, async (ctx) => {
    const own = await ownTokens(ctx);
    if (own.accounts && !own.accounts.includes(accountId)) throw notFound('community', accountId);
    const [ended] = await ctx.db.query<[{ id: string }[], number]>(
      `update api_tokens set revoked_at = now()
        where account_id = $1 and kind = any ($2) and revoked_at is null returning id`,
      [accountId, own.kinds.filter((kind) => kinds.includes(kind))],
    );
    if (ended.length > 0) {
      await recordAudit(ctx, {
        accountId,
        action: 'token.revoked',
        target: { kind: 'account', id: accountId },
        details: { tokens: ended.map(({ id }) => id) },
      });
    }
    return { revoked: ended.length };
  });
}
