import { recordAudit } from '@lensforge/audit';
import type { McpAuth, McpAuthRequest, McpServer } from '@lensforge/contracts';
import { type Context, badInput } from '@lensforge/core';
import { inTransaction, toJsonb } from '@lensforge/database';
import { deleteMcpAuthorization } from './mcp-authorization.js';
import { startMcpRefresh } from './refresh-mcp-server.js';
import { sealSecret } from './seal-secret.js';
import { readableMcpServer, writableMcpServer } from './server-access.js';
import { readAuth } from './server-auth.js';

export interface McpServerChange {
  serverId: string;
  /** Replaces the credentials. */
  auth?: McpAuthRequest | undefined;
  /** null for all tools. */
  allowedTools?: readonly string[] | null | undefined;
  enabled?: boolean | undefined;
}

/** Changes an MCP server of the caller. Omitted members stay unchanged; name and address never change. */
export async function updateMcpServer(ctx: Context, change: McpServerChange): Promise<McpServer> {
  const { allowedTools, enabled, serverId } = change;
  const auth = change.auth && readAuth(change.auth);
  if (!auth && allowedTools === undefined && enabled === undefined)
    throw badInput('', 'There is nothing to change: give at least one member');
  return inTransaction(ctx, async (ctx) => {
    const { id, url, name } = await writableMcpServer(ctx, serverId);
    const { accountId } = ctx.actor;
    await ctx.db.query(
      `update mcp_servers set allowed_tools = case when $2 then $3::text[] else allowed_tools end,
              enabled = coalesce($4, enabled), updated_at = $5
        where id = $1`,
      [id, allowedTools !== undefined, allowedTools ?? null, enabled ?? null, ctx.now()],
    );
    if (auth || enabled === false) await deleteMcpAuthorization(ctx, id);
    if (auth) {
      const box = await sealSecret(ctx, { id, accountId, url }, auth.secret);
      await ctx.db.query(
        `update mcp_servers set auth = $2, key_pair = $3, data_key = $4, secret = $5, secret_version = secret_version + 1,
                renewal_until = null, issuer = case when $6 then null else issuer end,
                offered_issuer = case when $7 then offered_issuer end
          where id = $1`,
        [id, toJsonb(auth.auth), ...box, auth.auth.tokenUrl !== undefined, findsIssuer(auth.auth)],
      );
    }
    const server = await readableMcpServer(ctx, id);
    if (auth && server.enabled && !server.authorizationServer?.changedTo) await startMcpRefresh(ctx, id);
    await recordAudit(ctx, {
      accountId,
      action: 'mcp_server.updated',
      target: { kind: 'mcp_server', id },
      details: { name, ...(auth && { auth: auth.auth }), allowedTools: server.allowedTools, enabled: server.enabled },
    });
    return readableMcpServer(ctx, id);
  });
}

/** Other credentials go to no authorization server, or to a token endpoint that the owner has named. */
const findsIssuer = ({ kind, tokenUrl }: McpAuth): boolean => kind === 'oauth' && tokenUrl === undefined;
