import { recordAudit } from '@lensforge/audit';
import type { Context } from '@lensforge/core';
import type { TokenKind } from './token.js';

export interface FormerAdministrator {
  communityId: string;
  accountId: string;
  reason: 'creator_removed' | 'creator_demoted';
}

/** Revokes the tokens that a person created for a community, in the transaction that ends their role. */
export async function revokeTokensOfCreator(ctx: Context, former: FormerAdministrator): Promise<void> {
  const { communityId, accountId, reason } = former;
  const [ended] = await ctx.db.query<[{ id: string; kind: TokenKind; label: string }[], number]>(
    `update api_tokens set revoked_at = now()
      where account_id = $1 and created_by = $2 and revoked_at is null returning id, kind, label`,
    [communityId, accountId],
  );
  for (const { id, kind, label } of ended) {
    await recordAudit(ctx, {
      accountId: communityId.toLowerCase(),
      action: 'token.revoked',
      target: { kind: 'token', id },
      details: { kind, label, by: reason, createdBy: accountId.toLowerCase() },
    });
  }
}
