import { recordAudit } from '@lensforge/audit';
import type { McpServer } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { recordAgentEvent } from '../events/record-agent-event.js';
import { deleteMcpAuthorization } from './mcp-authorization.js';
import { writableMcpServer } from './server-access.js';

/** Deletes an MCP server of the caller with its secrets and tools, and revokes the grants of its tools. */
export function deleteMcpServer(ctx: Context, serverId: string): Promise<McpServer> {
  return inTransaction(ctx, async (ctx) => {
    const server = await writableMcpServer(ctx, serverId);
    const { id, name, url } = server;
    const [revoked] = await ctx.db.query<[{ agentId: string; toolId: string }[], number]>(
      'delete from agent_tools where mcp_server_id = $1 returning agent_id as "agentId", tool_id as "toolId"',
      [id],
    );
    await deleteMcpAuthorization(ctx, id);
    await ctx.db.query('delete from mcp_tools where server_id = $1', [id]);
    await ctx.db.query('delete from mcp_servers where id = $1', [id]);
    for (const { agentId, toolId } of revoked.toSorted(byAgent)) {
      await recordAgentEvent(ctx, { agentId, type: 'tool.revoked', payload: { toolId } });
    }
    await recordAudit(ctx, {
      accountId: ctx.actor.accountId,
      action: 'mcp_server.deleted',
      target: { kind: 'mcp_server', id },
      details: { name, url, revokedGrants: revoked.length },
    });
    return server;
  });
}

/** The order in which logs are locked. */
export const byAgent = (one: { agentId: string }, other: { agentId: string }): number =>
  one.agentId < other.agentId ? -1 : one.agentId > other.agentId ? 1 : 0;
