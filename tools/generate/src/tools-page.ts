import type { JsonSchema } from '@lensforge/contracts';
import { type Tool, catalogue, tools, toolsets } from '@lensforge/tools';
import { code, inWords, table } from './markdown.js';

const titles: Readonly<Record<string, string>> = {
  lenses: 'Lenses',
  battles: 'Battles',
  workflows: 'Workflows',
  agents: 'AI lensers',
  evaluation: 'The set `evaluation`',
  extra: 'The set `extra`',
};

interface Arguments {
  properties: Record<string, JsonSchema>;
  required?: string[];
}

const listArguments = ({ listed }: Tool): string => {
  const { properties, required = [] } = listed['inputSchema'] as Arguments;
  return Object.entries(properties)
    .map(([name, schema]) => `${code(name)}${required.includes(name) ? '' : '?'}: ${inWords(schema)}`)
    .join('; ');
};

const describeRate = ({ rate, rateWith = {} }: Tool): string =>
  [code(rate), ...Object.entries(rateWith).map(([name, other]) => `${code(other)} with ${code(name)}`)].join(', ');

const listGroup = (group: string, members: readonly Tool[]): string => `## ${titles[group] ?? group}

${table(
  ['Tool', 'Arguments', 'Scope', 'Rate class', 'Errors'],
  members.map((tool) => [
    code(tool.name),
    listArguments(tool),
    code(tool.scope),
    describeRate(tool),
    tool.errors.map(code).join(', '),
  ]),
)}`;

/** docs/tools.md */
export const toolsPage = (): string => `# Tools

<!-- Written by \`npm run generate\` from libs/tools. -->

The tool-call server lists ${tools.length} tools, and the sets at the end for a client that [asks for them](assistants.md#choose-the-tools). \`tools/list\` describes
each of them, its arguments and its result. An argument with \`?\` is optional.

- **Scope.** MCP, organisation and service tokens need it; without it the call returns \`PERMISSION_DENIED\` with \`details.scope\`. Sessions, and MCP tokens whose client
  asked for no scope, can call every tool but \`start_agent_team_run\`, which is for the service role. Anonymous tokens can call the tools that only read, and find
  what is public.
- **Rate class.** Calls count in it for the account, with those of [REST](limits.md).
- **Errors.** Every tool can also return \`BAD_INPUT\` for arguments that do not fit, and \`THROTTLED\`. [errors.md](errors.md#tools) says what to do.

${Object.entries({ ...catalogue, ...toolsets })
  .map(([group, members]) => listGroup(group, members))
  .join('\n\n')}
`;
