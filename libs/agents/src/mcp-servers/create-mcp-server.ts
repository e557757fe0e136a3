import { recordAudit } from '@lensforge/audit';
import type { McpAuthRequest, McpServer } from '@lensforge/contracts';
import { type Context, DomainError, newId } from '@lensforge/core';
import { inTransaction, requireBelowLimit, toJsonb } from '@lensforge/database';
import { startMcpRefresh } from './refresh-mcp-server.js';
import { sealSecret } from './seal-secret.js';
import { readableMcpServer } from './server-access.js';
import { readAuth, requireUrl } from './server-auth.js';

export interface NewMcpServer {
  /** The connector in `mcp:<connector>/<tool>`. */
  name: string;
  url: string;
  auth?: McpAuthRequest | undefined;
  /** null for all tools. */
  allowedTools?: readonly string[] | null | undefined;
  /** The number of servers that an account may have. */
  limit?: number;
}

export const MAX_MCP_SERVERS = 50;

/** Registers an MCP server of the caller, with sealed secrets, and has a worker read its tools. */
export async function createMcpServer(ctx: Context, order: NewMcpServer): Promise<McpServer> {
  const { name, url, allowedTools = null, limit = MAX_MCP_SERVERS } = order;
  requireUrl('url', url);
  const { auth, secret } = readAuth(order.auth);
  return inTransaction(ctx, async (ctx) => {
    const { accountId } = ctx.actor;
    const from = 'mcp_servers where account_id = $1';
    await requireBelowLimit(ctx, { what: 'MCP servers', accountId, max: limit, from });
    const id = newId();
    const box = await sealSecret(ctx, { id, accountId, url }, secret);
    const inserted = await ctx.db.query<unknown[]>(
      `insert into mcp_servers (id, account_id, name, url, auth, allowed_tools, key_pair, data_key, secret, created_at, updated_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10) on conflict (account_id, name) do nothing returning id`,
      [id, accountId, name, url, toJsonb(auth), allowedTools, ...box, ctx.now()],
    );
    if (inserted.length === 0) throw new DomainError('CONFLICT', `You have an MCP server with the name ${name}`);
    await startMcpRefresh(ctx, id);
    await recordAudit(ctx, {
      accountId,
      action: 'mcp_server.created',
      target: { kind: 'mcp_server', id },
      details: { name, url, auth },
    });
    return readableMcpServer(ctx, id);
  });
}
