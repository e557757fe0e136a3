import { isRecord } from '@lensforge/contracts';
import { isDeepStrictEqual } from 'node:util';

type Schema = Readonly<Record<string, unknown>> | boolean;

/**
 * The first fault of a value against a schema that `faultInOutputSchema` accepted. Workers check each answer on their event
 * loop, so this interprets the schema. Ajv compiles it first, which takes 10 ms for a small schema and more than 500 ms for
 * a large one; inputs of workflows need its other keywords and pay for that in the sandbox.
 */
export function faultAgainstSchema(schema: Schema, value: unknown, path = ''): string | undefined {
  const at = path === '' ? '/' : path;
  if (typeof schema === 'boolean') return schema ? undefined : `${at} is not allowed`;
  const own = faultOfValue(schema, value);
  if (own !== undefined) return `${at} ${own}`;
  const { anyOf } = schema;
  if (Array.isArray(anyOf) && !anyOf.some((each) => faultAgainstSchema(each as Schema, value, path) === undefined))
    return `${at} must fit one of ${anyOf.length} schemas and fits none`;
  if (isRecord(value)) return faultOfMembers(schema, value, path);
  return Array.isArray(value) ? faultOfItems(schema, value, path) : undefined;
}

const describeType = (value: unknown): string => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'number' && Number.isInteger(value) ? 'integer' : typeof value;
};

const isOfType = (type: unknown, value: unknown): boolean => {
  const own = describeType(value);
  return type === own || (type === 'number' && own === 'integer');
};

type Check = (size: number, limit: number) => boolean;
const atLeast: Check = (size, limit) => size >= limit;
const atMost: Check = (size, limit) => size <= limit;

/** The keywords that limit values of a type, with their checks and messages. */
const limits: readonly (readonly [keyword: string, type: string, holds: Check, message: string, unit?: string])[] = [
  ['minimum', 'number', atLeast, 'must be at least'],
  ['maximum', 'number', atMost, 'must be at most'],
  ['exclusiveMinimum', 'number', (size, limit) => size > limit, 'must be more than'],
  ['exclusiveMaximum', 'number', (size, limit) => size < limit, 'must be less than'],
  ['minLength', 'string', atLeast, 'must have at least', 'character'],
  ['maxLength', 'string', atMost, 'must have at most', 'character'],
  ['minItems', 'array', atLeast, 'must have at least', 'item'],
  ['maxItems', 'array', atMost, 'must have at most', 'item'],
];

function measureSize(value: unknown): number {
  if (typeof value === 'string') return [...value].length;
  return Array.isArray(value) ? value.length : (value as number);
}

function faultOfValue(schema: Readonly<Record<string, unknown>>, value: unknown): string | undefined {
  const { type, enum: values, const: only } = schema;
  const allowed = Array.isArray(type) ? type : [type];
  if (type !== undefined && !allowed.some((each) => isOfType(each, value))) return `must be ${allowed.join(' or ')}`;
  if (Array.isArray(values) && !values.some((each) => isDeepStrictEqual(each, value)))
    return 'must be one of the values of enum';
  if ('const' in schema && !isDeepStrictEqual(only, value)) return 'must be the value of const';
  for (const [keyword, of, holds, message, unit] of limits) {
    const limit = schema[keyword] as number | undefined;
    if (limit !== undefined && isOfType(of, value) && !holds(measureSize(value), limit))
      return `${message} ${limit}${unit === undefined ? '' : ` ${unit}${limit === 1 ? '' : 's'}`}`;
  }
  return undefined;
}

const namesIn = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

function faultOfMembers(
  { properties, required, additionalProperties = true }: Readonly<Record<string, unknown>>,
  value: Readonly<Record<string, unknown>>,
  path: string,
): string | undefined {
  const missing = namesIn(required).find((name) => !Object.hasOwn(value, name));
  if (missing !== undefined) return `${path === '' ? '/' : path} must have the member ${missing.slice(0, 100)}`;
  const known = isRecord(properties) ? properties : {};
  for (const [name, member] of Object.entries(value)) {
    const schema = (Object.hasOwn(known, name) ? known[name] : additionalProperties) as Schema;
    const fault = faultAgainstSchema(schema, member, `${path}/${name.slice(0, 100)}`);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function faultOfItems(
  { prefixItems, items = true }: Readonly<Record<string, unknown>>,
  values: readonly unknown[],
  path: string,
): string | undefined {
  const first = Array.isArray(prefixItems) ? (prefixItems as Schema[]) : [];
  for (const [index, value] of values.entries()) {
    const fault = faultAgainstSchema(first[index] ?? (items as Schema), value, `${path}/${index}`);
    if (fault !== undefined) return fault;
  }
  return undefined;
}
