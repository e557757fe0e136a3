import { recordAudit } from '@lensforge/audit';
import type { AgentToolRevocation } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { ownAgent } from '../access.js';
import { recordAgentEvent } from '../events/record-agent-event.js';

/** Revokes a tool of an AI lenser of the caller. A repeated call has no effect. */
export function revokeTool(
  ctx: Context,
  { agentId, toolId }: { agentId: string; toolId: string },
): Promise<AgentToolRevocation> {
  return inTransaction(ctx, async (ctx) => {
    const { id, owner } = await ownAgent(ctx, agentId);
    const [, count] = await ctx.db.query<[unknown, number]>(
      'delete from agent_tools where agent_id = $1 and tool_id = $2',
      [id, toolId],
    );
    if (count > 0) {
      await recordAgentEvent(ctx, { agentId: id, type: 'tool.revoked', payload: { toolId } });
      await recordAudit(ctx, {
        accountId: owner.id,
        action: 'agent_tool.revoked',
        target: { kind: 'ai_lenser', id },
        details: { toolId },
      });
    }
    return { aiLenserId: id, toolId, revoked: count > 0 };
  });
}
