import { recordAudit } from '@lensforge/audit';
import type { TokenSummary } from '@lensforge/contracts';
import { type Context, notFound } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { ownTokens } from './own-tokens.js';
import { tokenSummary } from './token-summary.js';

/** Revokes a token of the caller or of a community that they administer. It is refused once this has returned. */
export function revokeToken(ctx: Context, { tokenId }: { tokenId: string }): Promise<TokenSummary> {
  return inTransaction(ctx, async (ctx) => {
    const { accounts, kinds } = await ownTokens(ctx);
    const own = `id = $1 and ($2::uuid[] is null or account_id = any ($2)) and kind = any ($3) and not sealed`;
    const parameters = [tokenId, accounts, kinds];
    const [[ended]] = await ctx.db.query<[TokenSummary[], number]>(
      `update api_tokens set revoked_at = now() where ${own} and revoked_at is null returning ${tokenSummary}`,
      parameters,
    );
    if (!ended) {
      const [before] = await ctx.db.query<TokenSummary[]>(
        `select ${tokenSummary} from api_tokens where ${own}`,
        parameters,
      );
      if (before) return before;
      throw notFound('token', tokenId);
    }
    await recordAudit(ctx, {
      accountId: ended.accountId,
      action: 'token.revoked',
      target: { kind: 'token', id: ended.id },
      details: { kind: ended.kind, label: ended.label },
    });
    return ended;
  });
}
