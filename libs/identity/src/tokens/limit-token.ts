import { recordAudit } from '@lensforge/audit';
import type { TokenSummary } from '@lensforge/contracts';
import { type Context, DomainError, notFound } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import type { CreditPeriod } from './api-token.entity.js';
import { ownTokens } from './own-tokens.js';
import { refuseDelegates } from '../accounts/roles.js';
import { tokenSummary } from './token-summary.js';
import { Connector } from './connector.entity.js';

export interface TokenLimit {
  tokenId: string;
  /** Null: only the balance of the account limits the token. */
  creditLimit: number | null;
  creditPeriod: CreditPeriod;
}

/** Sets the credit limit of a token. Credits that it has spent before count. */
export function limitToken(ctx: Context, { tokenId, creditLimit, creditPeriod }: TokenLimit): Promise<TokenSummary> {
  refuseDelegates(ctx);
  if (ctx.actor.credential.kind !== 'session') {
    throw new DomainError('FORBIDDEN', 'Only a session token can change the credit limit of a token');
  }
  return inTransaction(ctx, async (ctx) => {
    const { accounts, kinds } = await ownTokens(ctx);
    // Locks the connector before its token, like a rotation.
    await ctx.db.query(
      'select from connectors c join api_tokens t on t.connector_id = c.id where t.id = $1 for update of c',
      [tokenId],
    );
    const [[limited]] = await ctx.db.query<[TokenSummary[], number]>(
      `update api_tokens set credit_limit = $4, credit_period = $5
        where id = $1 and account_id = any ($2) and kind = any ($3) and not sealed and revoked_at is null
        returning ${tokenSummary}`,
      [tokenId, accounts, kinds, creditLimit, creditPeriod],
    );
    if (!limited) throw notFound('token', tokenId);
    if (limited.connectorId !== null) {
      await ctx.db.update(
        Connector,
        { id: limited.connectorId },
        { creditLimit: creditLimit?.toString() ?? null, creditPeriod },
      );
    }
    await recordAudit(ctx, {
      accountId: limited.accountId,
      action: 'token.limited',
      target: { kind: 'token', id: limited.id },
      details: { kind: limited.kind, label: limited.label, creditLimit, creditPeriod },
    });
    return limited;
  });
}
