import { recordAudit } from '@lensforge/audit';
import type { McpAuth, McpServer } from '@lensforge/contracts';
import { type Context, DomainError } from '@lensforge/core';
import { inTransaction, toJsonb } from '@lensforge/database';
import { startMcpRefresh } from './refresh-mcp-server.js';
import { readableMcpServer, writableMcpServer } from './server-access.js';

/** The authorization server whose token endpoint receives the secrets of an MCP server. */
export interface McpIssuer {
  issuer: string;
  tokenUrl: string;
  /** Its token endpoint takes client secrets in the body, not in a header. */
  isInBody: boolean;
}

type Endpoint = Pick<McpIssuer, 'issuer' | 'tokenUrl'>;

export const isSameIssuer = (one: Endpoint, other: Endpoint): boolean =>
  one.issuer === other.issuer && one.tokenUrl === other.tokenUrl;

/** The message about a suspended server for its owner. */
export const suspendedMessage = (issuer: string): string =>
  `The server names another authorization server now, ${issuer}: no secret is sent until you confirm it with POST /v1/mcp-servers/{mcpServerId}/issuer`;

interface Server {
  accountId: string;
  name: string;
  auth: McpAuth;
  issuer: McpIssuer | null;
}

/**
 * Pins the authorization server that an MCP server names first. Another one suspends the server: false, and no secret may be
 * sent until its owner confirms.
 */
export function acceptsMcpIssuer(ctx: Context, serverId: string, named: McpIssuer): Promise<boolean> {
  return inTransaction(ctx, async (ctx) => {
    const [server] = await ctx.db.query<Server[]>(
      'select account_id as "accountId", name, auth, issuer from mcp_servers where id = $1 for update',
      [serverId],
    );
    if (!server) return false;
    const { accountId, name } = server;
    const issuer = server.issuer ?? issuerOfConsent(server.auth, named) ?? named;
    const isSame = isSameIssuer(issuer, named);
    if (!server.issuer || !isSame)
      await ctx.db.query(
        'update mcp_servers set issuer = $2, offered_issuer = coalesce($3, offered_issuer) where id = $1',
        [serverId, toJsonb(issuer), isSame ? null : toJsonb(named)],
      );
    if (isSame) return true;
    await recordAudit(ctx, {
      accountId,
      action: 'mcp_server.suspended',
      target: { kind: 'mcp_server', id: serverId },
      details: { name, issuer: issuer.issuer, offeredIssuer: named.issuer, offeredTokenUrl: named.tokenUrl },
    });
    return false;
  });
}

/** The authorization server of a consent from before issuers were stored, which knows its token endpoint alone. */
function issuerOfConsent({ grantType, tokenUrl }: McpAuth, named: McpIssuer): McpIssuer | undefined {
  if (grantType !== 'authorization_code' || tokenUrl === undefined || tokenUrl === named.tokenUrl) return undefined;
  return { issuer: new URL(tokenUrl).origin, tokenUrl, isInBody: false };
}

export interface McpIssuerConfirmationOrder extends Endpoint {
  serverId: string;
}

/** Ends the suspension of an MCP server of the caller: with its changed authorization server, or the one it had. */
export function confirmMcpIssuer(ctx: Context, order: McpIssuerConfirmationOrder): Promise<McpServer> {
  return inTransaction(ctx, async (ctx) => {
    const { id, name, enabled, authorizationServer: known } = await writableMcpServer(ctx, order.serverId);
    if (!known?.changedTo)
      throw new DomainError(
        'CONFLICT',
        `The authorization server of ${name} has not changed: nothing is to be confirmed`,
      );
    const isChange = isSameIssuer(known.changedTo, order);
    if (!isChange && !isSameIssuer(known, order))
      throw new DomainError(
        'CONFLICT',
        'issuer and tokenUrl are neither those of authorizationServer nor of its changedTo: read the server again',
      );
    await ctx.db.query(
      `update mcp_servers set issuer = case when $2 then offered_issuer else issuer end, offered_issuer = null, updated_at = $3,
              auth = case when $2 and auth ->> 'grantType' = 'authorization_code'
                then jsonb_set(auth, '{tokenUrl}', offered_issuer -> 'tokenUrl') else auth end
        where id = $1`,
      [id, isChange, ctx.now()],
    );
    if (enabled) await startMcpRefresh(ctx, id);
    await recordAudit(ctx, {
      accountId: ctx.actor.accountId,
      action: 'mcp_server.issuer_confirmed',
      target: { kind: 'mcp_server', id },
      details: { name, issuer: order.issuer, tokenUrl: order.tokenUrl },
    });
    return readableMcpServer(ctx, id);
  });
}
