import type { McpServer } from '@lensforge/contracts';
import { type Context, platformActor } from '@lensforge/core';
import { type McpToolDefinition, createMcpServer, finishMcpRefresh, readableMcpServer } from './index.js';

export const anMcpTool = (traits: Partial<McpToolDefinition> = {}): McpToolDefinition => ({
  name: 'search',
  title: null,
  description: 'Searches notes',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
  outputSchema: null,
  annotations: {},
  ...traits,
});

/** Ends the refresh of a server that waits for a worker, with these tools. */
export async function refreshedWith(
  ctx: Context,
  { id: serverId }: Pick<McpServer, 'id'>,
  tools: readonly McpToolDefinition[],
): Promise<void> {
  const [{ refreshId }] = await ctx.db.query<[{ refreshId: string }]>(
    'select refresh_id as "refreshId" from mcp_servers where id = $1',
    [serverId],
  );
  const message = `${tools.length} tools`;
  await finishMcpRefresh(
    { ...ctx, actor: platformActor },
    { serverId, refreshId, status: 'succeeded', message, protocolVersion: '2025-06-18', tools },
  );
}

/** Registers an MCP server of the caller without credentials whose tools are read. */
export async function anMcpServer(
  ctx: Context,
  { name = 'notes', tools = [anMcpTool()] }: { name?: string; tools?: readonly McpToolDefinition[] } = {},
): Promise<McpServer> {
  const server = await createMcpServer(ctx, { name, url: 'https://mcp.example.com/mcp' });
  await refreshedWith(ctx, server, tools);
  return readableMcpServer(ctx, server.id);
}
