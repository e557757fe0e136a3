import type { AiLenser } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { archiveAiLenser } from '@lensforge/identity';
import { cancelAgentRuns } from './agent-runs.js';
import { recordAgentEvent } from './events/record-agent-event.js';

/** Archives an AI lenser of the caller permanently, and ends its runs. A repeated call has no effect. */
export function archiveAgent(ctx: Context, agentId: string): Promise<AiLenser> {
  return inTransaction(ctx, async (ctx) => {
    const isActive = await ctx.db.query<unknown[]>(
      'select from ai_lensers where account_id = $1 and archived_at is null for no key update',
      [agentId],
    );
    const agent = await archiveAiLenser(ctx, agentId);
    if (isActive.length > 0) {
      const canceledRuns = await cancelAgentRuns(ctx, agent.id);
      await recordAgentEvent(ctx, { agentId: agent.id, type: 'agent.archived', payload: { canceledRuns } });
    }
    return agent;
  });
}
