import { recordAudit } from '@lensforge/audit';
import type { ConnectorWithToken } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { IsNull } from 'typeorm';
import { readableConnector, writableConnector } from './connector-access.js';
import { findCreator } from './find-creator.js';
import { checkServiceDays, issueServiceToken } from './issue-service-token.js';
import { administeredCommunity, refuseMcpTokens } from '../accounts/roles.js';
import { refuseLimitedTokens } from './refuse-limited-tokens.js';
import { requireOwnScopes } from './require-own-scopes.js';
import { ApiToken } from './api-token.entity.js';
import { Connector } from './connector.entity.js';

export interface Rotation {
  connectorId: string;
  /** Defaults to the current lifetime. */
  days?: number | undefined;
}

/** Replaces the service token of a connector. The old one is revoked in the same transaction. */
export async function rotateConnector(ctx: Context, { connectorId, days }: Rotation): Promise<ConnectorWithToken> {
  if (days !== undefined) checkServiceDays(days);
  return inTransaction(ctx, async (ctx) => {
    const connector = await writableConnector(ctx, connectorId);
    refuseMcpTokens(ctx);
    requireOwnScopes(ctx, connector.scopes);
    refuseLimitedTokens(ctx);
    if (isOfCommunity(ctx, connector)) await administeredCommunity(ctx, connector.accountId, 'shared');
    const createdBy = await findCreator(ctx, connector.accountId);
    await ctx.db.update(ApiToken, { connectorId: connector.id, revokedAt: IsNull() }, { revokedAt: () => 'now()' });
    const lifetime = days ?? connector.ttlDays;
    await ctx.db.update(Connector, { id: connector.id }, { ttlDays: lifetime });
    const { creditLimit, creditPeriod } = connector;
    const { token, value } = await issueServiceToken(ctx, connector, {
      days: lifetime,
      creditLimit: creditLimit === null ? undefined : Number(creditLimit),
      creditPeriod,
      createdBy,
    });
    const rotated = await readableConnector(ctx, connector.id);
    await recordAudit(ctx, {
      accountId: connector.accountId,
      action: 'token.rotated',
      target: { kind: 'connector', id: connector.id },
      details: { name: connector.name, tokenId: token.id, expiresAt: token.expiresAt },
    });
    return { ...rotated, value };
  });
}

/** A signed-in person can reach connectors of other accounts only as administrator of a community. */
const isOfCommunity = ({ actor }: Context, { accountId }: { accountId: string }): boolean =>
  actor.credential.kind === 'session' && actor.accountId !== accountId;
