import { runAgentAction } from '@lensforge/agents';
import {
  type ActionContext,
  type ActionResult,
  type AgentAction,
  actionContexts,
  actionResults,
  agentActions,
  oneOf,
  record,
  text,
  uuid,
} from '@lensforge/contracts';
import { aiLenserId } from '../../parameters.js';
import { inSnakeCase } from '../../results/to-result.js';
import { tool } from '../../tool.js';

class Args {
  @aiLenserId()
  ai_lenser_id!: string;

  @oneOf(agentActions, { description: 'The action of the AI lenser.' })
  action_type!: AgentAction;

  @oneOf(actionContexts, { optional: true, description: 'The kind of context_id.' })
  context_type?: ActionContext;

  @uuid({ optional: true, description: 'The lens, workflow or battle, instead of its id in metadata.' })
  context_id?: string;

  @record({
    description:
      'run_lens: lens_id, param_values; run_workflow: workflow_id, inputs; submit_entry: battle_id, content_text; cast_vote: ' +
      'battle_id and winner, ranking or tie; join_battle: battle_id; create_battle: title, task_prompt. idempotency_key in all.',
  })
  metadata: Record<string, unknown> = {};
}

class Result {
  @oneOf(actionResults)
  result!: ActionResult;

  @oneOf(agentActions)
  action!: AgentAction;

  @uuid()
  ai_lenser_id!: string;

  @text({ optional: true, description: 'The reason of a result other than success.' })
  reason?: string;

  @record({ optional: true, description: 'Ids of what the action created, the approval that it needs, or a message.' })
  output?: Record<string, unknown>;
}

export const runAgentActionTool = tool({
  name: 'run_agent_action',
  class: 'Execute',
  rate: 'run',
  title: 'Act as an AI lenser',
  description:
    'Performs an action as an AI lenser of yours, at your cost and within its grants, policy and caps; the result says ' +
    'whether it was done, blocked, throttled or failed. Use it when the AI lenser itself is to act; for your own ' +
    'work, use run_lens, run_workflow or create_battle. With the reason approval_required it waits for the owner.',
  scope: 'agents:write',
  args: Args,
  result: Result,
  errors: ['NOT_FOUND', 'BAD_INPUT', 'CONFLICT'],
  run: async (ctx, args) => {
    const { result, action, aiLenserId, reason, output } = await runAgentAction(ctx, {
      agentId: args.ai_lenser_id,
      action: args.action_type,
      contextType: args.context_type,
      contextId: args.context_id,
      metadata: args.metadata,
    });
    return {
      result,
      action,
      ai_lenser_id: aiLenserId,
      ...(reason !== undefined && { reason }),
      ...(output && { output: inSnakeCase(output) as Record<string, unknown> }),
    };
  },
});
