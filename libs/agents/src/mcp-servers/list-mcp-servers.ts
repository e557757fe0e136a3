import type { McpServer } from '@lensforge/contracts';
import { type Context, type Page, type PageRequest, cursorOfRow, decodeCursor, toPage } from '@lensforge/core';
import { serverColumns } from './server-access.js';

/** Lists the MCP servers of the caller, newest first. */
export async function listMcpServers(ctx: Context, page: PageRequest): Promise<Page<McpServer>> {
  const { limit, offset = 0, cursor } = page;
  const after = cursor === undefined ? null : decodeCursor(cursor).id;
  const rows = await ctx.db.query<McpServer[]>(
    `select ${serverColumns} from mcp_servers s
      where s.account_id = $1 and ($2::uuid is null or s.id < $2) order by s.id desc limit $3 offset $4`,
    [ctx.actor.accountId, after, limit + 1, offset],
  );
  return toPage(rows, page, cursorOfRow);
}
