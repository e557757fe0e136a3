import { recordAudit } from '@lensforge/audit';
import { type AgentTool, calledAgentId, externalToolId, isGrantable } from '@lensforge/contracts';
import { type Context, DomainError, badInput } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import type { OwnAiLenser } from '@lensforge/identity';
import { findOwnAgent, ownAgent, requireActive } from '../access.js';
import { recordAgentEvent } from '../events/record-agent-event.js';
import { pinTool } from '../mcp-servers/external-tools.js';
import { agentToolColumns } from './list-tools.js';

export interface ToolAssignment {
  agentId: string;
  toolId: string;
  /** False refuses the tool explicitly. */
  allowed: boolean;
}

const maxTools = 500;

/** Grants a tool to an active AI lenser of the caller, or refuses it. A tool of an external server is granted as it is now. */
export async function assignTool(ctx: Context, { agentId, toolId, allowed }: ToolAssignment): Promise<AgentTool> {
  requireGrantable(toolId);
  return inTransaction(ctx, async (ctx) => {
    const agent = await ownAgent(ctx, agentId);
    requireActive(agent);
    await requireOwnAgent(ctx, agent, toolId);
    const pin = allowed && externalToolId.test(toolId) ? await pinTool(ctx, agent.owner.id, toolId) : undefined;
    const [tool] = await ctx.db.query<AgentTool[]>(
      `insert into agent_tools as t (agent_id, tool_id, allowed, assigned_at, updated_at, mcp_server_id, pinned_digest)
       select $1, $2, $3, $4, $4, $5, $6
        where (select count(*) from agent_tools where agent_id = $1 and tool_id <> $2) < ${maxTools}
       on conflict (agent_id, tool_id) do update set allowed = excluded.allowed, updated_at = excluded.updated_at,
             mcp_server_id = excluded.mcp_server_id, pinned_digest = excluded.pinned_digest, suspended_at = null
       returning ${agentToolColumns}`,
      [agent.id, toolId, allowed, ctx.now(), pin?.serverId ?? null, pin?.digest ?? null],
    );
    if (!tool) throw new DomainError('CONFLICT', `An AI lenser has at most ${maxTools} tools; revoke one first`);
    await recordAgentEvent(ctx, { agentId: agent.id, type: 'tool.assigned', payload: { toolId, allowed } });
    await recordAudit(ctx, {
      accountId: agent.owner.id,
      action: 'agent_tool.assigned',
      target: { kind: 'ai_lenser', id: agent.id },
      details: { toolId, allowed },
    });
    return tool;
  });
}

function requireGrantable(toolId: string): void {
  if (isGrantable(toolId)) return;
  throw badInput(
    'toolId',
    'must be a tool of the catalogue that gives no rights to AI lensers, cast_vote, agent:<handle>, or mcp:<connector>/<tool>',
  );
}

/** An AI lenser can call other AI lensers of its owner. */
async function requireOwnAgent(ctx: Context, { owner }: OwnAiLenser, toolId: string): Promise<void> {
  const handle = calledAgentId.exec(toolId)?.[1];
  if (handle === undefined || (await findOwnAgent(ctx, owner.id, handle))) return;
  throw badInput('toolId', `there is no AI lenser ${handle} of the same owner`);
}
