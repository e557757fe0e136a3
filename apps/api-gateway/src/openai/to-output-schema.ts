import { isRecord } from '@lensforge/contracts';
import { refuse } from './requests.js';

type Schema = Record<string, unknown>;

/** Keywords that say nothing about values. */
const annotations: readonly string[] = [
  ...[
    '$schema',
    '$id',
    '$comment',
    '$defs',
    'definitions',
    'default',
    'examples',
    'deprecated',
    'readOnly',
    'writeOnly',
  ],
  ...['strict', 'nullable'],
];

/** Keywords that the model reads in the description, since answers are not checked by them. */
const described: readonly string[] = [
  'format',
  'pattern',
  'multipleOf',
  'uniqueItems',
  'minProperties',
  'maxProperties',
];

const nestedSchemas: readonly string[] = ['items', 'additionalProperties'];
const lists: readonly string[] = ['anyOf', 'prefixItems'];
const maxSchemas = 500;

/**
 * A JSON Schema as libraries write it, in the keywords that the platform checks: references are replaced by what they stand for,
 * and keywords without an effect on values are left out.
 */
export function toOutputSchema(root: Schema, path: string): Schema {
  let count = 0;
  const convert = (value: unknown, open: readonly string[]): unknown => {
    if (!isRecord(value)) return value;
    count += 1;
    if (count > maxSchemas) throw refuse(path, `has more than ${maxSchemas} schemas in it`);
    if (typeof value['$ref'] === 'string') return convert(follow(value, value['$ref'], open), [...open, value['$ref']]);
    const { allOf, oneOf, ...schema } = value;
    if (Array.isArray(allOf) && allOf.length === 1) return convert({ ...schema, ...(allOf[0] as Schema) }, open);
    if (Array.isArray(oneOf)) return convert({ ...schema, anyOf: oneOf }, open);
    const members = Object.entries(schema).flatMap(([word, each]): [string, unknown][] => {
      if (annotations.includes(word) || described.includes(word)) return [];
      if (nestedSchemas.includes(word)) return [[word, convert(each, open)]];
      if (lists.includes(word) && Array.isArray(each)) return [[word, each.map((one) => convert(one, open))]];
      if (word === 'properties' && isRecord(each))
        return [[word, Object.fromEntries(Object.entries(each).map(([name, one]) => [name, convert(one, open)]))]];
      return [[word, each]];
    });
    const rules = described.filter((word) => word in schema).map((word) => `${word}: ${JSON.stringify(schema[word])}`);
    const { description } = schema;
    const texts = [
      ...(typeof description === 'string' ? [description] : []),
      ...(rules.length > 0 ? [`(${rules.join(', ')})`] : []),
    ];
    return { ...Object.fromEntries(members), ...(texts.length > 0 && { description: texts.join(' ') }) };
  };
  return convert(root, []) as Schema;

  /** The schema that a reference stands for, with the other keywords beside it. */
  function follow({ $ref: _, ...beside }: Schema, ref: string, open: readonly string[]): Schema {
    if (open.includes(ref)) throw refuse(path, `has a schema that contains itself: ${ref.slice(0, 100)}`);
    const found = ref
      .split('/')
      .slice(1)
      .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
      .reduce((value: unknown, name) => (isRecord(value) ? value[name] : undefined), root);
    if (!ref.startsWith('#') || !isRecord(found))
      throw refuse(path, `has a reference to nothing in it: ${ref.slice(0, 100)}`);
    return { ...found, ...beside };
  }
}
