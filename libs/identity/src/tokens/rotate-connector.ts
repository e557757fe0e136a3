import { recordAudit } from '@lensforge/audit';
import type { ConnectorWithToken } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { readableConnector, writableConnector } from './connector-access.js';
import { creatorOf } from './creator-of.js';
import { checkServiceDays, issueServiceToken } from './issue-service-token.js';
import { administeredCommunity, refuseMcpTokens } from '../accounts/roles.js';
import { withinOwnLimit } from './require-token-limit.js';
import { withinOwnScopes } from './within-own-scopes.js';

export interface Rotation {
  connectorId: string;
  /** As before when left out. */
  days?: number | undefined;
}

/** A new service token for a connector. The old one ends in the same commit: there is no moment with both or with none. */
export async function rotateConnector(ctx: Context, { connectorId, days }: Rotation): Promise<ConnectorWithToken> {
  if (days !== undefined) checkServiceDays(days);
  return inTransaction(ctx, async (ctx) => {
    const connector = await writableConnector(ctx, connectorId);
    refuseMcpTokens(ctx);
    withinOwnScopes(ctx, connector.scopes);
    withinOwnLimit(ctx);
    if (isOfCommunity(ctx, connector)) await administeredCommunity(ctx, connector.accountId, 'shared');
    const createdBy = await creatorOf(ctx, connector.accountId);
    await ctx.db.query(`update api_tokens set revoked_at = now() where connector_id = $1 and revoked_at is null`, [
      connector.id,
    ]);
    const lifetime = days ?? connector.ttlDays;
    await ctx.db.query('update connectors set ttl_days = $2 where id = $1', [connector.id, lifetime]);
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

/** A person who has signed in reaches connectors of others only where they administer the community. */
const isOfCommunity = ({ actor }: Context, { accountId }: { accountId: string }): boolean =>
  actor.credential.kind === 'session' && actor.accountId !== accountId;
