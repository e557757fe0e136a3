import { recordAudit } from '@lensforge/audit';
import type { Connector } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { readableConnector, writableConnector } from './connector-access.js';

/** Removes a connector and revokes its service token. */
export function removeConnector(ctx: Context, { connectorId }: { connectorId: string }): Promise<Connector> {
  return inTransaction(ctx, async (ctx) => {
    const { id, accountId, name } = await writableConnector(ctx, connectorId);
    await ctx.db.query('update api_tokens set revoked_at = now() where connector_id = $1 and revoked_at is null', [id]);
    const connector = await readableConnector(ctx, id);
    await ctx.db.query('update connectors set removed_at = now() where id = $1', [id]);
    await recordAudit(ctx, {
      accountId,
      action: 'connector.removed',
      target: { kind: 'connector', id },
      details: { name },
    });
    return connector;
  });
}
