import type { Issue } from '@lensforge/contracts';
import { isRecord } from '@lensforge/contracts';

const schemas = ['items', 'additionalProperties'];
const listsOfSchemas = ['anyOf', 'prefixItems'];
const plain = [
  'type',
  'title',
  'description',
  'enum',
  'const',
  'required',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
];
const known = [...plain, ...schemas, ...listsOfSchemas, 'properties'];
const types = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'];

const mostSchemas = 500;
const mostCharacters = 32_768;
const deepest = 20;

/**
 * What is wrong with a schema for answers; undefined when nothing is. The keywords are those that providers take and
 * whose check takes time in proportion: no patterns, and no references, which could lead in a circle.
 */
export function faultInOutputSchema(schema: Readonly<Record<string, unknown>>): Issue | undefined {
  if (JSON.stringify(schema).length > mostCharacters)
    return { path: 'outputSchema', message: `is longer than ${mostCharacters} characters` };
  let count = 0;
  const look = (value: unknown, path: string, depth: number): Issue | undefined => {
    if (typeof value === 'boolean') return undefined;
    if (!isRecord(value)) return { path, message: 'must be a JSON Schema' };
    count += 1;
    if (count > mostSchemas) return { path: 'outputSchema', message: `has more than ${mostSchemas} schemas in it` };
    if (depth > deepest) return { path, message: `is nested deeper than ${deepest} levels` };
    return (
      faultOfKeywords(value, path) ?? firstFault(inside(value, path), (each) => look(each.schema, each.path, depth + 1))
    );
  };
  return look(schema, 'outputSchema', 0);
}

interface Place {
  schema: unknown;
  path: string;
}

function inside(schema: Record<string, unknown>, path: string): Place[] {
  const members = isRecord(schema['properties']) ? Object.entries(schema['properties']) : [];
  return [
    ...members.map(([name, member]) => ({ schema: member, path: `${path}.properties.${name.slice(0, 100)}` })),
    ...schemas
      .filter((word) => schema[word] !== undefined)
      .map((word) => ({ schema: schema[word], path: `${path}.${word}` })),
    ...listsOfSchemas.flatMap((word) =>
      asList(schema[word]).map((each, index) => ({ schema: each, path: `${path}.${word}.${index}` })),
    ),
  ];
}

const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

function firstFault<T>(values: readonly T[], look: (value: T) => Issue | undefined): Issue | undefined {
  for (const value of values) {
    const fault = look(value);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;
const isNumber = (value: unknown): boolean => typeof value === 'number';
const isText = (value: unknown): boolean => typeof value === 'string';
const isType = (value: unknown): boolean => isText(value) && types.includes(value as string);
const isFilledList = (value: unknown): boolean => Array.isArray(value) && value.length > 0;
const isUnique = (values: readonly unknown[]): boolean => new Set(values).size === values.length;

/** What the value of each keyword has to be; those with schemas in them are looked into besides. */
const demands: Readonly<Record<string, (value: unknown) => boolean>> = {
  type: (value) => isType(value) || (isFilledList(value) && asList(value).every(isType) && isUnique(asList(value))),
  title: isText,
  description: isText,
  enum: (value) => isFilledList(value) && asList(value).length <= 500,
  required: (value) => Array.isArray(value) && value.every(isText) && isUnique(value),
  properties: isRecord,
  anyOf: isFilledList,
  prefixItems: isFilledList,
  minimum: isNumber,
  maximum: isNumber,
  exclusiveMinimum: isNumber,
  exclusiveMaximum: isNumber,
  minLength: isCount,
  maxLength: isCount,
  minItems: isCount,
  maxItems: isCount,
};

function faultOfKeywords(schema: Record<string, unknown>, path: string): Issue | undefined {
  return firstFault(Object.entries(schema), ([word, value]) => {
    if (!known.includes(word))
      return { path, message: `the keyword ${word.slice(0, 40)} is not supported; supported are ${known.join(', ')}` };
    return demands[word]?.(value) === false
      ? { path: `${path}.${word}`, message: 'must have the form that JSON Schema gives this keyword' }
      : undefined;
  });
}
