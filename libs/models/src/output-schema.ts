import { type Issue, isRecord } from '@lensforge/contracts';

const types = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'];

const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const anything = (): boolean => true;
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;
const isNumber = (value: unknown): boolean => typeof value === 'number';
const isText = (value: unknown): boolean => typeof value === 'string';
const isType = (value: unknown): boolean => isText(value) && types.includes(value as string);
const isFilledList = (value: unknown): boolean => Array.isArray(value) && value.length > 0;
const isUnique = (values: readonly unknown[]): boolean => new Set(values).size === values.length;

/** The supported keywords with the form of their value; nested schemas are checked separately. */
const keywords = new Map<string, (value: unknown) => boolean>([
  ['type', (value) => isType(value) || (isFilledList(value) && asList(value).every(isType) && isUnique(asList(value)))],
  ['title', isText],
  ['description', isText],
  ['enum', (value) => isFilledList(value) && asList(value).length <= 500],
  ['const', anything],
  ['required', (value) => Array.isArray(value) && value.every(isText) && isUnique(value)],
  ['minimum', isNumber],
  ['maximum', isNumber],
  ['exclusiveMinimum', isNumber],
  ['exclusiveMaximum', isNumber],
  ['minLength', isCount],
  ['maxLength', isCount],
  ['minItems', isCount],
  ['maxItems', isCount],
  ['items', anything],
  ['additionalProperties', anything],
  ['anyOf', isFilledList],
  ['prefixItems', isFilledList],
  ['properties', isRecord],
]);

const maxSchemas = 500;
const maxCharacters = 32_768;
const maxDepth = 20;

/**
 * The first fault of an output schema; undefined if it is valid. The keywords are those that providers accept and that
 * `faultAgainstSchema` checks in linear time: no patterns and no references.
 */
export function faultInOutputSchema(schema: Readonly<Record<string, unknown>>): Issue | undefined {
  if (JSON.stringify(schema).length > maxCharacters)
    return { path: 'outputSchema', message: `is longer than ${maxCharacters} characters` };
  let count = 0;
  const check = (value: unknown, path: string, depth: number): Issue | undefined => {
    if (typeof value === 'boolean') return undefined;
    if (!isRecord(value)) return { path, message: 'must be a JSON Schema' };
    count += 1;
    if (count > maxSchemas) return { path: 'outputSchema', message: `has more than ${maxSchemas} schemas in it` };
    if (depth > maxDepth) return { path, message: `is nested deeper than ${maxDepth} levels` };
    return (
      faultOfKeywords(value, path) ??
      firstFault(subschemas(value, path), (each) => check(each.schema, each.path, depth + 1))
    );
  };
  return check(schema, 'outputSchema', 0);
}

interface Subschema {
  schema: unknown;
  path: string;
}

function subschemas(schema: Record<string, unknown>, path: string): Subschema[] {
  const members = isRecord(schema['properties']) ? Object.entries(schema['properties']) : [];
  return [
    ...members.map(([name, member]) => ({ schema: member, path: `${path}.properties.${name.slice(0, 100)}` })),
    ...['items', 'additionalProperties']
      .filter((word) => schema[word] !== undefined)
      .map((word) => ({ schema: schema[word], path: `${path}.${word}` })),
    ...['anyOf', 'prefixItems'].flatMap((word) =>
      asList(schema[word]).map((each, index) => ({ schema: each, path: `${path}.${word}.${index}` })),
    ),
  ];
}

function firstFault<T>(values: readonly T[], check: (value: T) => Issue | undefined): Issue | undefined {
  for (const value of values) {
    const fault = check(value);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function faultOfKeywords(schema: Record<string, unknown>, path: string): Issue | undefined {
  return firstFault(Object.entries(schema), ([word, value]) => {
    const hasForm = keywords.get(word);
    if (!hasForm) {
      const supported = [...keywords.keys()].join(', ');
      return { path, message: `the keyword ${word.slice(0, 40)} is not supported; supported are ${supported}` };
    }
    return hasForm(value)
      ? undefined
      : { path: `${path}.${word}`, message: 'must have the form that JSON Schema gives this keyword' };
  });
}
