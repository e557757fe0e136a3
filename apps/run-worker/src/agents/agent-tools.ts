import type { ToolSpec } from '@lensforge/models';
import type { OwnAiLenser } from '@lensforge/identity';
import { grantedTools } from '@lensforge/agents';
import { withDbRetry } from '@lensforge/database';
import { type Tool, tools as catalogue } from '@lensforge/tools';
import type { AgentTeam } from './agent-team.js';
import type { ExternalTool } from './external-tools.js';
import { toolNames } from './tool-names.js';

/** A tool that an agent may ask for. */
export type AgentTool = { toolId: string; spec: Omit<ToolSpec, 'name'> } & (
  | { kind: 'platform'; tool: Tool }
  | { kind: 'external'; tool: ExternalTool }
  | { kind: 'agent'; handle: string }
  /** The caller of the run performs it. */
  | { kind: 'client' }
);

export interface AgentToolSet {
  specs: ToolSpec[];
  /** The tool that a model means by a name. */
  named(name: string): AgentTool | undefined;
  byId(toolId: string): AgentTool | undefined;
}

const platformTools = new Map(catalogue.map((tool) => [tool.name, tool]));
const agentPrefix = 'agent:';

/** The granted tools of an agent, without those that the node does not list. */
export async function listAgentTools(
  { owner, work }: AgentTeam,
  agent: OwnAiLenser,
  listed: readonly string[] | undefined,
): Promise<AgentToolSet> {
  const granted = await withDbRetry(() => grantedTools(owner, agent));
  const offered = listed ? granted.filter((toolId) => isListed(listed, toolId)) : granted;
  const external = offered.some((toolId) => toolId.startsWith('mcp:'))
    ? await work.parts.externalTools.list(owner, agent.id)
    : [];
  const externalById = new Map(external.map((tool) => [tool.toolId, tool]));
  const found = offered.flatMap((toolId): AgentTool[] => {
    const tool = platformTools.get(toolId);
    if (tool) return [{ kind: 'platform', toolId, tool, spec: toToolSpec(tool) }];
    const outside = externalById.get(toolId);
    if (outside) return [{ kind: 'external', toolId, tool: outside, spec: outside }];
    if (!toolId.startsWith(agentPrefix)) return [];
    const handle = toolId.slice(agentPrefix.length);
    return [{ kind: 'agent', toolId, handle, spec: toAgentTool(handle) }];
  });
  const byId = new Map(found.map((tool) => [tool.toolId, tool]));
  const names = toolNames([...byId.keys()]);
  return {
    specs: [...names].map(([name, id]) => {
      const { description, inputSchema } = (byId.get(id) as AgentTool).spec;
      return { name, description, inputSchema };
    }),
    named: (name) => byId.get(names.get(name) ?? name),
    byId: (toolId) => byId.get(toolId),
  };
}

/** True for a listed tool, and for one of a listed server. */
const isListed = (listed: readonly string[], toolId: string): boolean =>
  listed.includes(toolId) || (toolId.startsWith('mcp:') && listed.includes(toolId.split('/', 1)[0] ?? ''));

const toToolSpec = ({ listed }: Tool): AgentTool['spec'] => ({
  description: String(listed['description']),
  inputSchema: listed['inputSchema'] as ToolSpec['inputSchema'],
});

const toAgentTool = (handle: string): AgentTool['spec'] => ({
  description: `Gives a task to the agent ${handle}, which works on it with its own instructions and tools, and returns its answer.`,
  inputSchema: {
    type: 'object',
    properties: {
      task: { type: 'string', minLength: 1, description: 'The whole task: the agent knows nothing else.' },
    },
    required: ['task'],
    additionalProperties: false,
  },
});
