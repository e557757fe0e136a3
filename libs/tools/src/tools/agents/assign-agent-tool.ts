import { assignTool } from '@lensforge/agents';
import { flag, text } from '@lensforge/contracts';
import { aiLenserId } from '../../parameters.js';
import { AgentToolResult, agentToolResult } from '../../results/agent.js';
import { tool } from '../../tool.js';

class Args {
  @aiLenserId()
  ai_lenser_id!: string;

  @text({
    min: 1,
    max: 200,
    description: 'The name of a tool, cast_vote, or mcp:<connector>/<tool> of an external MCP server.',
  })
  tool_id!: string;

  @flag({ description: 'False refuses the tool explicitly.' })
  allowed = true;
}

export const assignAgentToolTool = tool({
  name: 'assign_agent_tool',
  class: 'Write',
  rate: 'write',
  title: 'Grant a tool to an AI lenser',
  description:
    'Grants a tool to an active AI lenser of yours, or refuses it with allowed false. Use it only for tools that the user ' +
    'wants it to have. Actions also need a rule in its policy: set it with update_ai_lenser. Tools that would extend its ' +
    'own rights cannot be granted. To take a grant back, use revoke_agent_tool.',
  scope: 'agents:write',
  args: Args,
  result: AgentToolResult,
  errors: ['NOT_FOUND', 'BAD_INPUT', 'CONFLICT'],
  run: async (ctx, { ai_lenser_id: agentId, tool_id: toolId, allowed }) =>
    agentToolResult(await assignTool(ctx, { agentId, toolId, allowed })),
});
