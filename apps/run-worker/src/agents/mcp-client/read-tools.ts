import { type McpToolDefinition, maxToolDepth } from '@lensforge/agents';
import { isTooDeep, mcpToolName } from '@lensforge/contracts';
import type { Tool } from '@modelcontextprotocol/client';
import { McpFault, cut } from './mcp-fault.js';
import type { Session } from './session.js';

export const maxTools = 500;
const maxPages = 50;
/** The size of a description with its schemas and annotations as JSON. */
export const maxDefinitionBytes = 64 * 1024;

export interface ToolList {
  tools: McpToolDefinition[];
  /** The tools that cannot be used, with the reason. */
  leftOut: string[];
}

/** Reads the whole list of tools of a server, within limits. */
export async function readTools(session: Session): Promise<ToolList> {
  const tools = new Map<string, McpToolDefinition>();
  const leftOut: string[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < maxPages; page += 1) {
    const listed = await session.listTools(cursor);
    for (const tool of listed.tools) {
      const fault = tools.has(tool.name) ? 'is listed twice' : findToolFault(tool);
      if (fault === undefined) tools.set(tool.name, toDefinition(tool));
      else leftOut.push(`${JSON.stringify(cut(tool.name, 40))} ${fault}`);
      if (tools.size + leftOut.length > maxTools) throw new McpFault(`The server lists more than ${maxTools} tools`);
    }
    cursor = listed.nextCursor;
    if (cursor === undefined) return { tools: [...tools.values()], leftOut };
  }
  throw new McpFault(`The list of tools has more than ${maxPages} pages`);
}

const toDefinition = ({
  name,
  title,
  description,
  inputSchema,
  outputSchema,
  annotations,
}: Tool): McpToolDefinition => ({
  name,
  title: title ?? annotations?.title ?? null,
  description: description ?? '',
  inputSchema,
  outputSchema: outputSchema ?? null,
  annotations: annotations ?? {},
});

function findToolFault(tool: Tool): string | undefined {
  if (!mcpToolName.test(tool.name)) return 'has a name that is not 1 to 100 visible ASCII characters';
  const definition = toDefinition(tool);
  if (isTooDeep(definition, maxToolDepth)) return `has a schema deeper than ${maxToolDepth} levels`;
  const bytes = Buffer.byteLength(JSON.stringify(definition));
  if (bytes > maxDefinitionBytes)
    return `has ${bytes} bytes of description and schemas; the limit is ${maxDefinitionBytes}`;
  return undefined;
}
