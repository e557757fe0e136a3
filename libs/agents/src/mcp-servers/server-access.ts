import type { McpServer } from '@lensforge/contracts';
import { type Context, DomainError, notFound } from '@lensforge/core';
import { lateMessage } from './mcp-authorization.js';

/** SQL columns of mcp_servers `s`, without secrets. */
export const serverColumns = `s.id, s.name, s.url, s.auth, s.allowed_tools as "allowedTools", s.enabled,
  (select count(*)::int from mcp_tools t where t.server_id = s.id) as "toolCount", s.protocol_version as "protocolVersion",
  case when s.refresh_status is not null then jsonb_build_object('status', s.refresh_status, 'message', s.refresh_message,
    'refreshedAt', iso(s.refreshed_at)) end as refresh,
  (select jsonb_build_object('status', case when o.is_late then 'failed' else o.status end,
            'message', case when o.is_late then '${lateMessage}' else o.message end,
            'authorizationUrl', case when o.status = 'waiting' and not o.is_late then o.authorization_url end,
            'expiresAt', iso(o.expires_at))
     from (select a.*, a.status in ('preparing', 'waiting', 'exchanging') and a.expires_at <= now() as is_late
             from mcp_authorizations a where a.server_id = s.id) o) as "authorization",
  case when s.issuer is not null then jsonb_build_object('issuer', s.issuer -> 'issuer', 'tokenUrl', s.issuer -> 'tokenUrl',
    'changedTo', case when s.offered_issuer is not null then s.offered_issuer - 'isInBody' end) end as "authorizationServer",
  iso(s.created_at) as "createdAt", iso(s.updated_at) as "updatedAt"`;

/** Reads an MCP server of the caller. */
export const readableMcpServer = (ctx: Context, serverId: string): Promise<McpServer> => find(ctx, serverId);

/** Reads an MCP server of the caller and locks it until the transaction ends. */
export const writableMcpServer = (ctx: Context, serverId: string): Promise<McpServer> =>
  find(ctx, serverId, 'for update of s');

/** Refuses a server that is disabled, or suspended because its authorization server has changed. */
export function requireInUse({ name, enabled, authorizationServer }: McpServer): void {
  if (!enabled) throw new DomainError('CONFLICT', `The MCP server ${name} is disabled: enable it first`);
  if (authorizationServer?.changedTo)
    throw new DomainError(
      'CONFLICT',
      `The MCP server ${name} is suspended, because its authorization server has changed: confirm authorizationServer.changedTo first`,
    );
}

async function find({ db, actor }: Context, serverId: string, lock = ''): Promise<McpServer> {
  const [server] = await db.query<McpServer[]>(
    `select ${serverColumns} from mcp_servers s where s.id = $1 and s.account_id = $2 ${lock}`,
    [serverId, actor.accountId],
  );
  if (!server) throw notFound('MCP server', serverId);
  return server;
}
