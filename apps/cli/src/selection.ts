import { UsageFault } from './faults.js';

type Step = (value: unknown) => unknown[];

const isMembers = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const describeKind = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'a list' : typeof value;

const refused = (what: string, value: unknown): never[] => {
  throw new UsageFault(`The selection cannot take ${what} of ${describeKind(value)}`, 'Look at the data with: --json');
};

const member =
  (name: string): Step =>
  (value) => {
    if (value === null || value === undefined) return [null];
    if (!isMembers(value)) return refused(`the member ${name}`, value);
    return [Object.hasOwn(value, name) ? value[name] : null];
  };

const each: Step = (value) => {
  if (Array.isArray(value)) return value as unknown[];
  return isMembers(value) ? Object.values(value) : refused('the items', value);
};

const at =
  (index: number): Step =>
  (value) => {
    if (value === null) return [null];
    return Array.isArray(value) ? [(value as unknown[]).at(index) ?? null] : refused(`the item ${index}`, value);
  };

const functions: Readonly<Record<string, Step>> = {
  length: (value) => [
    Array.isArray(value) || typeof value === 'string'
      ? value.length
      : isMembers(value)
        ? Object.keys(value).length
        : refused('the length', value),
  ],
  keys: (value) => [isMembers(value) ? Object.keys(value).sort() : refused('the keys', value)],
};

const token = /^(?:\.?\["([^"]*)"\]|\.?\[(-?\d+)\]|\.?(\[\])|\.([A-Za-z_][A-Za-z0-9_]*))/;

function parseSteps(text: string, expression: string): Step[] {
  const known = functions[text];
  if (known) return [known];
  const steps: Step[] = [];
  let rest = text === '.' ? '' : text;
  while (rest !== '') {
    const [found = '', quoted, index, items, name] = token.exec(rest) ?? [];
    if (found === '') {
      const advice = 'It has members (.id), items ([0], []), length, keys and pipes: .[] | .id';
      throw new UsageFault(`The selection ${expression} is not valid at "${rest}"`, advice);
    }
    steps.push(items ? each : index !== undefined ? at(Number(index)) : member(quoted ?? name ?? ''));
    rest = rest.slice(found.length);
  }
  return steps;
}

/** The values that a selection such as `.items[] | .id` takes from data, in the manner of jq. */
export function select(data: unknown, expression: string): unknown[] {
  const steps = expression.split('|').flatMap((part) => parseSteps(part.trim(), expression));
  return steps.reduce<unknown[]>((values, step) => values.flatMap(step), [data]);
}
