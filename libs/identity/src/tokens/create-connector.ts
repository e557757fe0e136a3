import { recordAudit } from '@lensforge/audit';
import type { ConnectorWithToken, Scope } from '@lensforge/contracts';
import { type Context, newId } from '@lensforge/core';
import { inTransaction, requireBelowLimit } from '@lensforge/database';
import type { CreditPeriod } from './api-token.entity.js';
import { Connector } from './connector.entity.js';
import { findCreator } from './find-creator.js';
import { checkServiceDays, issueServiceToken } from './issue-service-token.js';
import { administeredCommunity, refuseMcpTokens } from '../accounts/roles.js';
import { refuseLimitedTokens } from './refuse-limited-tokens.js';
import { requireOwnScopes } from './require-own-scopes.js';

export interface NewConnector {
  name: string;
  scopes: readonly Scope[];
  days: number;
  creditLimit?: number | undefined;
  creditPeriod?: CreditPeriod | undefined;
  /** Defaults to the caller's own account. */
  communityId?: string | undefined;
  /** The number of connectors that an account may have. */
  limit?: number;
}

export const MAX_CONNECTORS = 100;

/** Creates a connector for the caller or for a community, with its first service token. */
export async function createConnector(ctx: Context, input: NewConnector): Promise<ConnectorWithToken> {
  refuseMcpTokens(ctx);
  requireOwnScopes(ctx, input.scopes);
  refuseLimitedTokens(ctx);
  checkServiceDays(input.days);
  const communityId = input.communityId?.toLowerCase();
  return inTransaction(ctx, async (ctx) => {
    if (communityId !== undefined) {
      await administeredCommunity(ctx, communityId, 'shared');
    }
    const accountId = communityId ?? ctx.actor.accountId;
    const createdBy = await findCreator(ctx, accountId);
    const from = 'connectors where account_id = $1 and removed_at is null';
    await requireBelowLimit(ctx, { what: 'connectors', accountId, max: input.limit ?? MAX_CONNECTORS, from });
    const connector = ctx.db.create(Connector, {
      id: newId(),
      accountId,
      name: input.name.trim(),
      scopes: [...input.scopes],
      ttlDays: input.days,
      creditLimit: input.creditLimit === undefined ? null : String(input.creditLimit),
      creditPeriod: input.creditPeriod ?? 'month',
      createdAt: ctx.now(),
      removedAt: null,
    });
    await ctx.db.insert(Connector, connector);
    const { token, value } = await issueServiceToken(ctx, connector, { ...input, createdBy });
    const { id, name, scopes } = connector;
    await recordAudit(ctx, {
      accountId,
      action: 'connector.created',
      target: { kind: 'connector', id },
      details: { name, scopes, tokenId: token.id, expiresAt: token.expiresAt },
    });
    return { id, accountId, name, scopes, createdAt: connector.createdAt.toISOString(), token, value };
  });
}
