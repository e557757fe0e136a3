import { recordAudit } from '@lensforge/audit';
import type { Connector as ConnectorShape } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { IsNull } from 'typeorm';
import { readableConnector, writableConnector } from './connector-access.js';
import { ApiToken } from './api-token.entity.js';
import { Connector } from './connector.entity.js';

/** Removes a connector and revokes its service token. */
export function removeConnector(ctx: Context, { connectorId }: { connectorId: string }): Promise<ConnectorShape> {
  return inTransaction(ctx, async (ctx) => {
    const { id, accountId, name } = await writableConnector(ctx, connectorId);
    await ctx.db.update(ApiToken, { connectorId: id, revokedAt: IsNull() }, { revokedAt: () => 'now()' });
    const connector = await readableConnector(ctx, id);
    await ctx.db.update(Connector, { id }, { removedAt: () => 'now()' });
    await recordAudit(ctx, {
      accountId,
      action: 'connector.removed',
      target: { kind: 'connector', id },
      details: { name },
    });
    return connector;
  });
}
