import type { AgentTool } from '@lensforge/contracts';
import { type Context, type CountedPage, type PagePosition, countedPage } from '@lensforge/core';
import { ownAgent } from '../access.js';

/** SQL columns of agent_tools `t`. */
export const agentToolColumns = `t.agent_id as "aiLenserId", t.tool_id as "toolId", t.allowed,
  iso(t.suspended_at) as "suspendedAt", iso(t.assigned_at) as "assignedAt", iso(t.updated_at) as "updatedAt"`;

/** Lists the tools of an AI lenser of the caller, by name. */
export async function listTools(
  ctx: Context,
  { agentId, limit, offset = 0 }: { agentId: string } & PagePosition,
): Promise<CountedPage<AgentTool>> {
  const { id } = await ownAgent(ctx, agentId);
  const [{ total }] = await ctx.db.query<[{ total: number }]>(
    'select count(*)::int as total from agent_tools where agent_id = $1',
    [id],
  );
  const items = await ctx.db.query<AgentTool[]>(
    `select ${agentToolColumns} from agent_tools t where t.agent_id = $1 order by t.tool_id limit $2 offset $3::bigint`,
    [id, limit, offset],
  );
  return countedPage(items, { limit, offset, total });
}
