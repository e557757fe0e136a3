import { revokeTool } from '@lensforge/agents';
import { flag, text, uuid } from '@lensforge/contracts';
import { aiLenserId } from '../../parameters.js';
import { tool } from '../../tool.js';

class Args {
  @aiLenserId()
  ai_lenser_id!: string;

  @text({ min: 1, max: 200, description: 'The tool, as list_agent_tools gives it.' })
  tool_id!: string;
}

class Result {
  @uuid()
  ai_lenser_id!: string;

  @text()
  tool_id!: string;

  @flag({ description: 'False when the AI lenser did not have the tool.' })
  revoked!: boolean;
}

export const revokeAgentToolTool = tool({
  name: 'revoke_agent_tool',
  class: 'Destructive',
  rate: 'write',
  title: 'Revoke a tool of an AI lenser',
  description:
    'Takes a tool away from an AI lenser of yours; its actions that need the tool are blocked from then on. Ask the user ' +
    'first. A repeated call changes nothing. To see what it has, use list_agent_tools; to grant a tool, assign_agent_tool.',
  scope: 'agents:write',
  args: Args,
  result: Result,
  errors: ['NOT_FOUND'],
  run: async (ctx, args) => {
    const { aiLenserId, toolId, revoked } = await revokeTool(ctx, { agentId: args.ai_lenser_id, toolId: args.tool_id });
    return { ai_lenser_id: aiLenserId, tool_id: toolId, revoked };
  },
});
