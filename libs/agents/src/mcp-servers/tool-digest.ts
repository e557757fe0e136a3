import { createHash } from 'node:crypto';

/** A tool as its server describes it. */
export interface McpToolDefinition {
  name: string;
  title: string | null;
  description: string;
  inputSchema: Readonly<Record<string, unknown>>;
  outputSchema: Readonly<Record<string, unknown>> | null;
  annotations: Readonly<Record<string, unknown>>;
}

/** Deeper definitions are refused. */
export const maxToolDepth = 64;

/** SHA-256, in hex, of what a server says about a tool. The order of members does not count. */
export const toolDigest = (tool: McpToolDefinition): string =>
  createHash('sha256').update(canonical(tool, 0)).digest('hex');

function canonical(value: unknown, depth: number): string {
  if (depth > maxToolDepth) throw new RangeError(`A tool is nested deeper than ${maxToolDepth} levels`);
  if (Array.isArray(value)) return `[${value.map((each) => canonical(each, depth + 1)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonical(member, depth + 1)}`);
  return `{${members.join(',')}}`;
}
