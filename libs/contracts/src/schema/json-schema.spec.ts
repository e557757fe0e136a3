import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { type ValidationError, validateSync } from 'class-validator';
import fc from 'fast-check';
import { endpoints } from '../catalogue/endpoints.js';
import type { Endpoint } from '../catalogue/endpoint.js';
import { dateTime, flag, integer, json, list, nested, oneOf, record, text, uuid } from './field.js';
import { jobs } from '../catalogue/jobs.js';
import { isFreeForm } from './free-form.js';
import { faultInJson } from './json-rules.js';
import { jsonSchema } from './json-schema.js';
import { integerKind, isRecord, nestedKind, textKind } from './kinds.js';
import { InvalidInput, parse } from './parse.js';
import { platformEvents } from '../catalogue/platform-events.js';
import { battleEvents } from '../catalogue/battle-events.js';
import { experimentEvents } from '../catalogue/experiment-events.js';
import { runEvents } from '../catalogue/run-events.js';
import { type Issue, type JsonSchema, type Shape, type ValueType, listFields } from './rules.js';

class Leaf {
  @text({ min: 2, max: 4 })
  name!: string;

  @integer({ min: -3, max: 3 })
  size = 1;
}

/** A class with a member of each kind, in every combination that changes the schema. */
class Everything {
  @text({ max: 5, pattern: /^[a-c]*$/, description: 'A few letters.' })
  letters!: string;

  @uuid({ optional: true })
  id?: string;

  @integer({ nullable: true, min: 0, max: 9 })
  digit!: number | null;

  @flag({ optional: true, nullable: true })
  open?: boolean | null;

  @oneOf(['red', 'green'], { nullable: true, optional: true })
  colour?: string | null;

  @dateTime({ optional: true })
  at?: string;

  @record({ optional: true })
  free?: object;

  @json({ optional: true })
  any?: unknown;

  @nested(() => Leaf, { optional: true, nullable: true })
  leaf?: Leaf | null;

  @list(textKind({ min: 1, max: 2 }), { min: 1, max: 2, optional: true })
  words?: string[];

  @list(nestedKind(() => Leaf), { max: 2, optional: true })
  leaves?: Leaf[];

  @list(integerKind({ min: 0, max: 1 }), { optional: true })
  bits?: number[];

  @oneOf(['on', 'off'])
  mode = 'on';
}

const endpointShapes = Object.values<Endpoint>(endpoints).flatMap(({ params, query, body, reply }) =>
  [params, query, body, reply].filter((shape) => shape !== undefined),
);
const shapes: Shape[] = [
  Everything,
  ...new Set<Shape>([
    ...endpointShapes,
    ...Object.values(jobs).map(({ payload }) => payload),
    ...Object.values(runEvents),
    ...Object.values(battleEvents),
    ...Object.values(experimentEvents),
    ...Object.values(platformEvents),
  ]),
];

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
formats.default(ajv);

interface Facets extends Partial<Record<'minimum' | 'maximum' | 'minLength' | 'maxLength', number>> {
  type?: string | string[];
  enum?: unknown[];
  format?: string;
  pattern?: string;
}

/** Values that are valid for the schema, generated from the schema alone. */
function valuesOf(schema: JsonSchema): fc.Arbitrary<unknown> {
  const { type, enum: values, format, pattern, minimum, maximum, minLength, maxLength } = schema as Facets;
  if (values) return fc.constantFrom(...values);
  if (schema['anyOf']) return fc.oneof(...(schema['anyOf'] as JsonSchema[]).map(valuesOf));
  if (Array.isArray(type))
    return fc.oneof(...type.map((one) => (one === 'null' ? fc.constant(null) : valuesOf({ ...schema, type: one }))));
  if (format === 'uuid') return fc.uuid();
  if (format === 'date-time') {
    return fc.date({ min: new Date(0), max: new Date(8e12), noInvalidDate: true }).map((date) => date.toISOString());
  }
  if (pattern) {
    return fc
      .stringMatching(new RegExp(pattern))
      .filter(
        (value) =>
          value.length >= (minLength ?? 0) &&
          value.length <= (maxLength ?? Infinity) &&
          value.isWellFormed() &&
          !value.includes('\u0000'),
      );
  }
  switch (type) {
    case 'string':
      return fc
        .string({ unit: 'grapheme', minLength: minLength ?? 0, maxLength: Math.min(maxLength ?? 50, 50) })
        .filter((value) => [...value].length <= (maxLength ?? Infinity) && !value.includes('\u0000'));
    case 'integer':
      return fc.integer({
        ...(minimum !== undefined && { min: minimum }),
        ...(maximum !== undefined && { max: maximum }),
      });
    case 'number':
      return fc.double({ min: minimum ?? -1e9, max: maximum ?? 1e9, noNaN: true }).map((value) => value + 0);
    case 'boolean':
      return fc.boolean();
    case 'array':
      return fc.array(valuesOf(schema['items'] as JsonSchema), {
        minLength: (schema['minItems'] as number | undefined) ?? 0,
        maxLength: Math.min(schema['maxItems'] as number, 5),
      });
    case 'object':
      return schema['additionalProperties'] === true ? anyObject : membersOf(schema);
    default:
      return anything;
  }
}

const plainText = fc.string({ maxLength: 8 }).filter((value) => value.isWellFormed() && !value.includes('\u0000'));
/** The rules for all JSON, such as forbidden names, are not in the schema. */
const followsJsonRules = (value: unknown): boolean => faultInJson(value) === undefined;
const anything = fc.jsonValue({ maxDepth: 3, stringUnit: 'grapheme-ascii' }).filter(followsJsonRules);
const anyObject = fc.dictionary(plainText, anything, { maxKeys: 4 }).filter(followsJsonRules);

function membersOf(schema: JsonSchema): fc.Arbitrary<unknown> {
  const properties = Object.entries(schema['properties'] as Record<string, JsonSchema>);
  const model = Object.fromEntries(properties.map(([name, member]) => [name, valuesOf(member)]));
  return fc.record(model, { requiredKeys: (schema['required'] as string[] | undefined) ?? [] });
}

/** The instance that class-validator gets: as in Nest, each object an instance of its class, with unknown members. */
function toInstance(shape: Shape, value: Readonly<Record<string, unknown>>): object {
  const convert = ({ nested, item }: ValueType, member: unknown): unknown => {
    if (item && Array.isArray(member)) return member.map((each) => convert(item, each));
    return nested && isRecord(member) ? toInstance(nested(), member) : member;
  };
  const instance = new shape();
  for (const [name, member] of Object.entries(value)) {
    const { type } = listFields(shape).get(name) ?? {};
    Reflect.set(instance, name, type ? convert(type, member) : member);
  }
  return instance;
}

const valueAt = (value: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], value);

/** The faults without the index of a list's item and without the message about it, which class-validator does not tell. */
const comparable = (value: unknown, faults: readonly Issue[]): string[] =>
  faults
    .filter(
      ({ path }) =>
        !faults.some(
          (other) => path.startsWith(`${other.path.replace(/\.\d+$/, '')}.`) && other.path.length < path.length,
        ),
    )
    .map(({ path, message }) => {
      const member = path.replace(/(\.\d+)+$/, '');
      const isUnknown = /^is not a known member|should not exist$/.test(message);
      return isUnknown ? `${member} is unknown` : `${member} ${Array.isArray(valueAt(value, member)) ? '' : message}`;
    })
    .toSorted();

const faultsOf = (errors: readonly ValidationError[], at = ''): Issue[] =>
  errors.flatMap(({ property, constraints = {}, children = [] }) => {
    const path = `${at}${property}`;
    return [...Object.values(constraints).map((message) => ({ path, message })), ...faultsOf(children, `${path}.`)];
  });

const asInNest = { whitelist: true, forbidNonWhitelisted: true, stopAtFirstError: true, forbidUnknownValues: false };

const faultsOfParse = (shape: Shape, value: unknown): readonly Issue[] => {
  try {
    parse(shape, value);
    return [];
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error;
    return error.issues;
  }
};

/** A valid value in which one member is replaced or removed. */
const damaged = (schema: JsonSchema) =>
  fc
    .tuple(membersOf(schema) as fc.Arbitrary<Record<string, unknown>>, fc.nat(), anything, fc.boolean())
    .map(([value, index, other, isRemoved]) => {
      const names = [...Object.keys(schema['properties'] as object), 'unknown'];
      const name = names[index % names.length] ?? '';
      const { [name]: _, ...rest } = value;
      return isRemoved ? rest : { ...rest, [name]: other };
    });

describe.each(shapes.map((shape) => [shape.name, shape] as const))('the JSON Schema of %s', (_, shape) => {
  const schema = jsonSchema(shape);
  const accepts = ajv.compile(schema);

  it('describes only values that parse accepts', () => {
    fc.assert(
      fc.property(valuesOf(schema), (value) => {
        expect(accepts(value)).toBe(true);
        expect(parse(shape, value)).toBeInstanceOf(shape);
      }),
      { numRuns: 12 },
    );
  });

  it('and parse agree about any other value', () => {
    fc.assert(
      fc.property(damaged(schema), (value) => (faultsOfParse(shape, value).length === 0) === accepts(value)),
      { numRuns: 20 },
    );
  });

  it('has the rules that class-validator applies with the same faults', () => {
    fc.assert(
      fc.property(damaged(schema), (value) => {
        const errors = isFreeForm(shape) ? [] : validateSync(toInstance(shape, value), asInNest);
        expect(comparable(value, faultsOfParse(shape, value))).toEqual(comparable(value, faultsOf(errors)));
      }),
      { numRuns: 20 },
    );
  });
});

describe('a JSON Schema', () => {
  it('includes descriptions, defaults and required members', () => {
    expect(jsonSchema(Everything)).toMatchObject({
      type: 'object',
      properties: {
        letters: { type: 'string', maxLength: 5, pattern: '^[a-c]*$', description: 'A few letters.' },
        digit: { type: ['integer', 'null'], minimum: 0, maximum: 9 },
        colour: { type: ['string', 'null'], enum: ['red', 'green', null] },
        leaves: { type: 'array', maxItems: 2, items: { properties: { size: { default: 1 } }, required: ['name'] } },
        mode: { enum: ['on', 'off'], default: 'on' },
      },
      required: ['letters', 'digit'],
      additionalProperties: false,
    });
  });

  it('is derived once per class', () => {
    expect(jsonSchema(Leaf)).toBe(jsonSchema(Leaf));
  });
});
