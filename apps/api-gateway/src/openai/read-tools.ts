import { isRecord } from '@lensforge/contracts';
import type { ToolChoice, ToolSpec } from '@lensforge/models';
import { refuse } from './requests.js';

const maxTools = 128;
const toolName = /^[\w-]{1,64}$/;

export interface RequestedTools {
  tools?: ToolSpec[];
  toolChoice?: ToolChoice;
}

/** Reads tools and the choice among them; each function nested, as in chat completions, or flat, as in responses. */
export function readTools(given: unknown, choice: unknown): RequestedTools {
  if (given === undefined) return {};
  if (!Array.isArray(given)) throw refuse('tools', 'must be a list of tools');
  if (given.length > maxTools) throw refuse('tools', `has ${given.length} tools; the limit is ${maxTools}`);
  if (given.length === 0) return {};
  const tools = given.map((tool: unknown, index): ToolSpec => {
    const path = `tools.${index}`;
    if (!isRecord(tool) || tool['type'] !== 'function')
      throw refuse(`${path}.type`, 'must be function: other tools are not performed here');
    const { name, description, parameters } = isRecord(tool['function']) ? tool['function'] : tool;
    if (typeof name !== 'string' || !toolName.test(name))
      throw refuse(`${path}.name`, 'must have 1 to 64 letters, digits, - and _');
    if (parameters !== undefined && parameters !== null && !isRecord(parameters))
      throw refuse(`${path}.parameters`, 'must be a JSON Schema');
    return {
      name,
      description: typeof description === 'string' ? description : '',
      inputSchema: isRecord(parameters) ? parameters : { type: 'object', properties: {} },
    };
  });
  const names = tools.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice !== undefined) throw refuse('tools', `has two tools with the name ${twice}`);
  const toolChoice = readChoice(choice, names);
  return { tools, ...(toolChoice !== undefined && { toolChoice }) };
}

function readChoice(choice: unknown, names: readonly string[]): ToolChoice | undefined {
  if (choice === undefined || choice === 'auto') return undefined;
  if (choice === 'none' || choice === 'required') return choice;
  const of = isRecord(choice) && choice['type'] === 'function' ? (choice['function'] ?? choice) : undefined;
  const name: unknown = isRecord(of) ? of['name'] : undefined;
  if (typeof name === 'string' && names.includes(name)) return { name };
  throw refuse('tool_choice', `must be auto, none, required or one of the functions ${names.join(', ')}`);
}
