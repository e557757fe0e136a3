import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '@lensforge/contracts';
import { AssertionFault } from './assertion-fault.js';
import { faultAgainst } from './json-schema.js';
import { type Comparison, type Finding, type ToolCall, reaches, toText, verdict } from './assertion.js';

type Compare = (comparison: Comparison) => Finding;

/** The assertions about the calls of tools in a run. */
export const trajectories: Readonly<Record<string, Compare>> = {
  'trajectory:tool-used': ({ value, subject }) => {
    const calls = callsOf(subject);
    const wanted = isRecord(value)
      ? [toCount(value)]
      : listNames(value).map((name) => ({ name, min: 1, max: Infinity }));
    const missed = wanted.find(({ name, min, max }) => {
      const count = calls.filter((call) => isNamed(call, name)).length;
      return count < min || count > max;
    });
    if (!missed) return verdict(true, `called ${describe(calls)}`);
    const { name, min, max } = missed;
    const times = max === Infinity ? `at least ${min} times` : `${min} to ${max} times`;
    return verdict(false, `${name} should be called ${times}; called ${describe(calls)}`);
  },
  'trajectory:tool-args-match': ({ value, subject }) => {
    const calls = callsOf(subject);
    if (!isRecord(value)) throw new AssertionFault('needs a value {name, args, mode?}');
    const name = toText(value['name'] ?? value['tool'] ?? '*');
    const args = value['args'] ?? value['arguments'];
    const matches = value['mode'] === 'exact' ? isDeepStrictEqual : includes;
    const pass = calls.some((call) => isNamed(call, name) && matches(call.input, args));
    return verdict(pass, `${name} should be called with ${toText(args)}; called ${describe(calls)}`);
  },
  'trajectory:tool-sequence': ({ value, subject }) => {
    const calls = callsOf(subject);
    const steps = listNames(isRecord(value) ? value['steps'] : value);
    const isExact = isRecord(value) && value['mode'] === 'exact';
    const pass = isExact
      ? calls.length === steps.length && steps.every((name, at) => isNamed(calls[at] as ToolCall, name))
      : isInOrder(calls, steps);
    return verdict(pass, `${steps.join(', ')} should be called in this order; called ${describe(calls)}`);
  },
  'trajectory:step-count': ({ value, subject }) => {
    if (!isRecord(value)) throw new AssertionFault('needs a value {min?, max?, pattern?}');
    if (value['type'] !== undefined && value['type'] !== 'tool' && !isListOfTools(value['type'])) {
      throw new AssertionFault('counts steps of the type tool alone');
    }
    const { name, min, max } = toCount({ name: '*', min: 0, ...value });
    const count = callsOf(subject).filter((call) => isNamed(call, name)).length;
    return verdict(count >= min && count <= max, `there should be ${min} to ${max} calls; there are ${count}`);
  },
  'is-valid-openai-tools-call': ({ value, subject }) => {
    const calls = callsOf(subject);
    const schemas = schemasIn(value);
    if (calls.length === 0) return verdict(false, 'no tool was called');
    for (const { names, input } of calls) {
      const name = names.find((each) => schemas.has(each));
      const schema = name === undefined ? undefined : schemas.get(name);
      if (!schema) return verdict(false, `${names[0]} is none of the tools ${[...schemas.keys()].join(', ')}`);
      const fault = faultAgainst(schema, input, `the arguments of ${name}`);
      if (fault !== undefined) return verdict(false, fault);
    }
    return verdict(true, `called ${describe(calls)}`);
  },
  'tool-call-f1': ({ value, threshold = 1, subject }) => {
    const made = new Set(callsOf(subject).map(({ names }) => names[0] ?? ''));
    const wanted = new Set(listNames(value));
    const shared = [...wanted].filter((name) => callsOf(subject).some((call) => isNamed(call, name))).length;
    const score = made.size + wanted.size === 0 ? 1 : (2 * shared) / (made.size + wanted.size);
    return reaches(score, threshold, 'the F1 of the called tools');
  },
};

/** The schemas of the arguments of tools, as OpenAI writes tools. */
function schemasIn(value: unknown): Map<string, object> {
  if (!Array.isArray(value) || value.length === 0)
    throw new AssertionFault('needs the tools as value, as OpenAI writes them');
  return new Map(
    value.map((tool: unknown): [string, object] => {
      const { name, parameters } =
        isRecord(tool) && isRecord(tool['function']) ? tool['function'] : ((tool ?? {}) as Record<string, unknown>);
      if (typeof name !== 'string') throw new AssertionFault('needs tools with names');
      return [name, isRecord(parameters) ? parameters : { type: 'object' }];
    }),
  );
}

export const isAboutToolCalls = (type: string): boolean => Object.hasOwn(trajectories, type);

const callsOf = ({ toolCalls }: Comparison['subject']): readonly ToolCall[] => toolCalls ?? [];

const isListOfTools = (type: unknown): boolean => Array.isArray(type) && type.every((each) => each === 'tool');

const describe = (calls: readonly ToolCall[]): string =>
  calls.length === 0 ? 'no tool' : calls.map(({ names }) => names[0]).join(', ');

/** The names of a text, with commas between several, or of a list. */
function listNames(value: unknown): string[] {
  const names = Array.isArray(value) ? value.map(nameOf) : typeof value === 'string' ? value.split(',') : [];
  if (names.length === 0) throw new AssertionFault('needs the names of tools as its value');
  return names.map((name) => name.trim());
}

const nameOf = (step: unknown): string =>
  isRecord(step) ? toText(step['name'] ?? step['pattern'] ?? '') : toText(step);

function toCount(value: Readonly<Record<string, unknown>>): { name: string; min: number; max: number } {
  const { min, max } = value;
  return {
    name: toText(value['pattern'] ?? value['name'] ?? ''),
    min: typeof min === 'number' ? min : 1,
    max: typeof max === 'number' ? max : Infinity,
  };
}

/** A name with * in it stands for all that begin and end as it does. */
function isNamed({ names }: ToolCall, wanted: string): boolean {
  const parts = wanted.split('*');
  const [first = ''] = parts;
  const last = parts.at(-1) ?? '';
  return names.some((name) => (parts.length === 1 ? name === wanted : isBetween(name, { first, parts, last })));
}

function isBetween(name: string, { first, parts, last }: { first: string; parts: string[]; last: string }): boolean {
  if (!name.startsWith(first) || !name.endsWith(last) || name.length < first.length + last.length) return false;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= name.length - last.length;
}

function isInOrder(calls: readonly ToolCall[], steps: readonly string[]): boolean {
  let at = 0;
  for (const call of calls) if (at < steps.length && isNamed(call, steps[at] ?? '')) at += 1;
  return at === steps.length;
}

/** True when a value has all members of another, at every depth. */
function includes(value: unknown, part: unknown): boolean {
  if (!isRecord(part)) return isDeepStrictEqual(value, part);
  return isRecord(value) && Object.entries(part).every(([name, each]) => includes(value[name], each));
}
