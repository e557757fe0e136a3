import { recordAudit } from '@lensforge/audit';
import type { ConnectorWithToken } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import type { CreditPeriod } from './api-token.entity.js';
import { readableConnector, writableConnector } from './connector-access.js';
import { checkServiceDays, issueServiceToken } from './issue-service-token.js';
import { refuseDelegates } from './roles.js';
import { withinOwnLimit } from './within-own-limit.js';
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
    refuseDelegates(ctx);
    withinOwnScopes(ctx, connector.scopes);
    withinOwnLimit(ctx);
    const limit = await limitOf(ctx, connector.id);
    await ctx.db.query(`update api_tokens set revoked_at = now() where connector_id = $1 and revoked_at is null`, [
      connector.id,
    ]);
    const lifetime = days ?? connector.ttlDays;
    await ctx.db.query('update connectors set ttl_days = $2 where id = $1', [connector.id, lifetime]);
    const { token, value } = await issueServiceToken(ctx, connector, { ...limit, days: lifetime });
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

/** The limit of its last token is that of its next one. */
async function limitOf(
  ctx: Context,
  connectorId: string,
): Promise<{ creditLimit?: number | undefined; creditPeriod?: CreditPeriod }> {
  const [last] = await ctx.db.query<{ creditLimit: number | null; creditPeriod: CreditPeriod }[]>(
    `select credit_limit::float8 as "creditLimit", credit_period as "creditPeriod" from api_tokens
      where connector_id = $1 order by id desc limit 1`,
    [connectorId],
  );
  return last ? { creditLimit: last.creditLimit ?? undefined, creditPeriod: last.creditPeriod } : {};
}
