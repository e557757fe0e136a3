import { listTools } from '@lensforge/agents';
import { integer, list, nestedKind, text } from '@lensforge/contracts';
import { decodeOffset, encodeOffset } from '@lensforge/core';
import { aiLenserId } from '../../parameters.js';
import { AgentToolResult, agentToolResult } from '../../results/agent.js';
import { tool } from '../../tool.js';

class Args {
  @aiLenserId()
  ai_lenser_id!: string;

  @integer({ min: 1, max: 200, description: 'Maximum number of items.' })
  limit = 50;

  @text({ min: 1, max: 200, optional: true, description: 'next_cursor of the previous page.' })
  cursor?: string;
}

class Result {
  @list(nestedKind(() => AgentToolResult))
  items!: AgentToolResult[];

  @integer({ min: 0 })
  total!: number;

  @text({ optional: true, description: 'Absent on the last page.' })
  next_cursor?: string;
}

export const listAgentToolsTool = tool({
  name: 'list_agent_tools',
  class: 'Read',
  rate: 'list',
  title: 'List the tools of an AI lenser',
  description:
    'Lists the tools that an AI lenser of yours has been granted or refused, by name. Use it before you change its grants ' +
    'with assign_agent_tool or revoke_agent_tool. Which actions need your approval is in its policy: see get_ai_lenser.',
  scope: 'agents:read',
  args: Args,
  result: Result,
  errors: ['NOT_FOUND', 'BAD_INPUT'],
  run: async (ctx, { ai_lenser_id: agentId, limit, cursor }) => {
    const offset = cursor === undefined ? 0 : decodeOffset(cursor);
    const { items, total, hasMore } = await listTools(ctx, { agentId, limit, offset });
    return {
      items: items.map(agentToolResult),
      total,
      ...(hasMore && { next_cursor: encodeOffset(offset + items.length) }),
    };
  },
});
