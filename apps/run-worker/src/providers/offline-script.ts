import type { Message, ToolCall } from '@lensforge/models';
import { integer, isRecord, list, nestedKind, record, text } from '@lensforge/contracts';

export class OfflineCall {
  @text({ min: 1, max: 200, description: 'The tool, by its name in the request or in grants.' })
  name!: string;

  @record()
  input: Record<string, unknown> = {};
}

/**
 * A step of a script. Texts may refer to results of earlier calls, counted from 1: `{{1}}` is the whole result of the first
 * call, `{{2.items.0.id}}` a member of the second one.
 */
export class OfflineStep {
  @text({ max: 50_000 })
  say = '';

  @list(nestedKind(() => OfflineCall), { max: 100 })
  calls: OfflineCall[] = [];

  @integer({ min: 0, max: 3_600_000, description: 'Wait this long before the step.' })
  delayMs = 0;
}

export interface ScriptedStep {
  say: string;
  toolCalls: ToolCall[];
  delayMs: number;
}

/** The step that follows the conversation so far; undefined without a script, or after its last step. */
export function scriptedStep(
  script: readonly OfflineStep[] | undefined,
  messages: readonly Message[],
): ScriptedStep | undefined {
  const index = messages.filter(({ role }) => role === 'assistant').length;
  const step = script?.[index];
  if (!step) return undefined;
  const results = messages.flatMap((message) =>
    message.role === 'tool' ? message.results.map(({ text: result }) => unquoted(result)) : [],
  );
  const toolCalls = step.calls.map(({ name, input }, position) => ({
    id: `offline_${index + 1}_${position + 1}`,
    name,
    input: filledIn(input, results),
  }));
  return { say: filled(step.say, results), toolCalls, delayMs: step.delayMs };
}

/** The quoted lines of a fenced result, without the quotes. */
function unquoted(result: string): string {
  const lines = result.split('\n').filter((line) => line.startsWith('| '));
  return lines.length === 0 ? result : lines.map((line) => line.slice(2)).join('\n');
}

const reference = /\{\{(\d{1,4})((?:\.[\w-]{1,100}){0,20})\}\}/g;

const filled = (value: string, results: readonly string[]): string =>
  value.replace(reference, (_, number: string, path: string) =>
    getMember(results[Number(number) - 1] ?? '', path.split('.').slice(1)),
  );

function getMember(result: string, path: readonly string[]): string {
  if (path.length === 0) return result;
  try {
    const found = path.reduce<unknown>(
      (value, name) =>
        (isRecord(value) || Array.isArray(value)) && Object.hasOwn(value, name)
          ? (value as Record<string, unknown>)[name]
          : undefined,
      JSON.parse(result),
    );
    return typeof found === 'string' ? found : JSON.stringify(found ?? null);
  } catch {
    return '';
  }
}

function filledIn(value: unknown, results: readonly string[]): unknown {
  if (typeof value === 'string') return filled(value, results);
  if (Array.isArray(value)) return value.map((each) => filledIn(each, results));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, filledIn(each, results)]));
}
