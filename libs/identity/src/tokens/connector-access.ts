import type { Connector as ConnectorShape } from '@lensforge/contracts';
import { type Context, isServiceRole, notFound } from '@lensforge/core';
import { connectorSummary } from './connector-summary.js';
import type { Connector } from './connector.entity.js';
import { administeredAccounts } from '../accounts/roles.js';

const listAdministeredAccounts = async (ctx: Context): Promise<string[] | null> =>
  isServiceRole(ctx) ? null : administeredAccounts(ctx);

/** Reads a connector of the caller or of a community that they administer. */
export async function readableConnector(ctx: Context, connectorId: string): Promise<ConnectorShape> {
  const [found] = await ctx.db.query<ConnectorShape[]>(
    `with c as (select * from connectors
                 where id = $1 and removed_at is null and ($2::uuid[] is null or account_id = any ($2)))
     ${connectorSummary}`,
    [connectorId, await listAdministeredAccounts(ctx)],
  );
  if (!found) throw notFound('connector', connectorId);
  return found;
}

/** Reads such a connector and locks its row until the transaction ends. */
export async function writableConnector(
  ctx: Context,
  connectorId: string,
): Promise<Pick<Connector, 'id' | 'accountId' | 'name' | 'scopes' | 'ttlDays' | 'creditLimit' | 'creditPeriod'>> {
  const [found] = await ctx.db.query<Connector[]>(
    `select id, account_id as "accountId", name, scopes, ttl_days as "ttlDays",
            credit_limit as "creditLimit", credit_period as "creditPeriod" from connectors
      where id = $1 and removed_at is null and ($2::uuid[] is null or account_id = any ($2)) for update`,
    [connectorId, await listAdministeredAccounts(ctx)],
  );
  if (!found) throw notFound('connector', connectorId);
  return found;
}
