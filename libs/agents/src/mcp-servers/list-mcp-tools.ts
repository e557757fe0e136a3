import type { McpTool } from '@lensforge/contracts';
import { type Context, type CountedPage, type PagePosition, countedPage } from '@lensforge/core';
import { readableMcpServer } from './server-access.js';

/** SQL that is true for a tool `m` whose repeated calls have no further effect, as its server says. */
export const isIdempotent = `coalesce(m.definition -> 'annotations' ->> 'readOnlyHint' = 'true'
  or m.definition -> 'annotations' ->> 'idempotentHint' = 'true', false)`;

/** SQL columns of mcp_tools `m` of mcp_servers `s`. */
const toolColumns = `'mcp:' || s.name || '/' || m.name as "toolId", m.name, m.definition ->> 'title' as title,
  m.definition ->> 'description' as description, m.definition -> 'inputSchema' as "inputSchema",
  m.definition -> 'annotations' as annotations, ${isIdempotent} as idempotent,
  s.allowed_tools is null or m.name = any (s.allowed_tools) as allowed, encode(m.digest, 'hex') as digest,
  iso(m.changed_at) as "changedAt"`;

/** Lists the tools of an MCP server of the caller, by name. */
export async function listMcpTools(
  ctx: Context,
  { serverId, limit, offset = 0 }: { serverId: string } & PagePosition,
): Promise<CountedPage<McpTool>> {
  const { id, toolCount: total } = await readableMcpServer(ctx, serverId);
  const items = await ctx.db.query<McpTool[]>(
    `select ${toolColumns} from mcp_tools m join mcp_servers s on s.id = m.server_id
      where m.server_id = $1 order by m.name limit $2 offset $3::bigint`,
    [id, limit, offset],
  );
  return countedPage(items, { limit, offset, total });
}
