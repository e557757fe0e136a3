import { type McpRefreshStatus, jobs } from '@lensforge/contracts';
import { type Context, newId } from '@lensforge/core';
import { enqueue, inTransaction } from '@lensforge/database';
import { requireInUse, writableMcpServer } from './server-access.js';
import type { McpToolDefinition } from './tool-digest.js';
import { storeTools } from './store-tools.js';

/** Has a worker read the list of tools of an MCP server of the caller. Only the newest refresh of a server counts. */
export function startMcpRefresh(ctx: Context, serverId: string): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const server = await writableMcpServer(ctx, serverId);
    requireInUse(server);
    const { id } = server;
    const [refreshId, outboxId] = [newId(), newId()];
    await ctx.db.query(
      `update mcp_servers set refresh_id = $2, refresh_status = 'pending', refresh_message = null where id = $1`,
      [id, refreshId],
    );
    const payload = { mcpServerId: id, refreshId, outboxId };
    await enqueue(ctx, jobs.refreshMcpServer, payload, { jobId: `${outboxId}-g0`, publishNow: true, outboxId });
  });
}

export interface McpRefreshRef {
  serverId: string;
  refreshId: string;
}

/** True while the refresh is the newest one of its server and has not ended. */
export async function isPendingMcpRefresh({ db }: Context, { serverId, refreshId }: McpRefreshRef): Promise<boolean> {
  const found = await db.query<unknown[]>(
    `select from mcp_servers where id = $1 and refresh_id = $2 and refresh_status = 'pending'`,
    [serverId, refreshId],
  );
  return found.length > 0;
}

export interface McpRefreshResult extends McpRefreshRef {
  status: Exclude<McpRefreshStatus, 'pending'>;
  /** Shown to the owner, so it must not contain secrets. */
  message: string;
  protocolVersion?: string;
  /** The tools of the server; undefined when they could not be read, which leaves the known ones. */
  tools?: readonly McpToolDefinition[];
}

/** Stores the result of a refresh unless a newer one was started. Grants of changed tools are suspended. */
export function finishMcpRefresh(ctx: Context, result: McpRefreshResult): Promise<void> {
  const { serverId, refreshId, status, message, protocolVersion, tools } = result;
  return inTransaction(ctx, async (ctx) => {
    const [, finished] = await ctx.db.query<[unknown, number]>(
      `update mcp_servers set refresh_status = $3, refresh_message = $4, refreshed_at = $5,
              protocol_version = coalesce($6, protocol_version)
        where id = $1 and refresh_id = $2 and refresh_status = 'pending'`,
      [serverId, refreshId, status, message, ctx.now(), protocolVersion ?? null],
    );
    if (finished > 0 && tools) await storeTools(ctx, serverId, tools);
  });
}
