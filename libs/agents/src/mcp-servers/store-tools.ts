import type { Context } from '@lensforge/core';
import { toJsonb } from '@lensforge/database';
import { recordAgentEvent } from '../events/record-agent-event.js';
import { byAgent } from './delete-mcp-server.js';
import { type McpToolDefinition, toolDigest } from './tool-digest.js';

/** Replaces the tools of a locked server. Grants of tools that have changed are suspended until the owner agrees again. */
export async function storeTools(ctx: Context, serverId: string, tools: readonly McpToolDefinition[]): Promise<void> {
  const rows = tools.map(({ name, ...definition }) => ({
    name,
    definition,
    digest: toolDigest({ name, ...definition }),
  }));
  await ctx.db.query('delete from mcp_tools where server_id = $1 and name <> all ($2)', [
    serverId,
    tools.map(({ name }) => name),
  ]);
  await ctx.db.query(
    `insert into mcp_tools as m (server_id, name, definition, digest, changed_at)
     select $1, name, definition, decode(digest, 'hex'), $3
       from jsonb_to_recordset($2::jsonb) as x(name text, definition jsonb, digest text)
     on conflict (server_id, name) do update
        set definition = excluded.definition, digest = excluded.digest, changed_at = excluded.changed_at
      where m.digest <> excluded.digest`,
    [serverId, toJsonb(rows), ctx.now()],
  );
  const [suspended] = await ctx.db.query<[{ agentId: string; toolId: string }[], number]>(
    `update agent_tools t set suspended_at = $2, updated_at = $2
       from mcp_servers s join mcp_tools m on m.server_id = s.id
      where s.id = $1 and t.mcp_server_id = $1 and m.name = substring(t.tool_id from length(s.name) + 6)
        and t.allowed and t.suspended_at is null and t.pinned_digest <> m.digest
      returning t.agent_id as "agentId", t.tool_id as "toolId"`,
    [serverId, ctx.now()],
  );
  for (const { agentId, toolId } of suspended.toSorted(byAgent)) {
    await recordAgentEvent(ctx, { agentId, type: 'tool.suspended', payload: { toolId, reason: 'changed' } });
  }
}
