import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { codesWithOptionalDetails, errorDetails } from './catalogue/error-details.js';
import type { RestErrorCode } from './catalogue/error-codes.js';
import { InvalidInput, parse } from './schema/parse.js';
import type { JsonSchema } from './schema/rules.js';

/** The fault of the details of an error with this code; undefined when they are valid. */
export function faultOfDetails(code: RestErrorCode, details: unknown): string | undefined {
  const shape = errorDetails[code];
  if (details === undefined) {
    return shape && !codesWithOptionalDetails.includes(code) ? `${code} must have details` : undefined;
  }
  if (!shape) return `${code} has no details`;
  try {
    parse(shape, details, { skipJsonRules: true });
    return undefined;
  } catch (error) {
    if (error instanceof InvalidInput) return `the details of ${code}: ${error.message}`;
    throw error;
  }
}

const hostileTexts = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  '\u202e\u2066',
  '%',
  '_',
  "'; drop table runs; --",
  '${7*7}',
  '$&$1',
  '../../etc/passwd',
  '\r\nx-evil: 1',
  '<script>alert(1)</script>',
  '__proto__',
  'null',
  '-1',
  '1e400',
  '9'.repeat(30),
  '2026-02-30T25:00:00Z',
  'data:,x',
  'http://169.254.169.254/',
  '🦊'.repeat(60),
  'x'.repeat(20_000),
];

const numbers = [0, -0, -1, 1, 0.5, 100, 101, 2 ** 31, -(2 ** 31), 2 ** 53, 1e308, -1e308];

/** A character of Unicode. That of fast-check, `binary`, takes two seconds to build. */
const character = fc
  .integer({ min: 0, max: 0x10ffff })
  .map((code) => String.fromCodePoint(code))
  .filter((text) => text.isWellFormed());

/** Arbitrary values, valid or not. */
export const anything = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, ...hostileTexts, ...numbers),
  fc.string({ unit: character, maxLength: 30 }),
  fc.array(fc.constantFrom<unknown>(null, 'x', 1, {}), { maxLength: 5 }),
  fc.dictionary(fc.constantFrom('a', 'id', 'constructor', 'toString'), fc.constantFrom<unknown>(1, 'x', null, []), {
    maxKeys: 3,
  }),
  fc.constant(deep(40)),
);

function deep(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

/** Values that are mostly valid for a schema. */
function fitting(schema: JsonSchema, known: readonly string[]): fc.Arbitrary<unknown> {
  const {
    enum: values,
    type,
    format,
    properties,
    items,
  } = schema as {
    enum?: unknown[];
    type?: string | string[];
    format?: string;
    properties?: Record<string, JsonSchema>;
    items?: JsonSchema;
  };
  if (values) return fc.constantFrom(...values);
  switch ([type].flat()[0]) {
    case 'integer':
    case 'number':
      return fc.oneof(fc.integer({ min: 0, max: 30 }), fc.constantFrom(...numbers));
    case 'boolean':
      return fc.boolean();
    case 'array':
      return fc.array(items ? near(items, known) : anything, { maxLength: 4 });
    case 'object':
      return properties
        ? nearMembers(properties, known)
        : fc.dictionary(fc.string({ maxLength: 8 }), anything, { maxKeys: 4 });
    case 'string':
      if (format === 'uuid') return fc.oneof(fc.constantFrom(...known), fc.constant(randomUUID()));
      if (format === 'date-time') return fc.constantFrom('2026-11-21T09:30:00Z', '2030-01-01T00:00:00+02:00');
      return fc.oneof(
        fc.string({ maxLength: 80 }),
        fc.constantFrom('Wild', 'lenses:read', 'a-b-c', 'https://example.com/'),
      );
    default:
      return anything;
  }
}

const near = (schema: JsonSchema, known: readonly string[]): fc.Arbitrary<unknown> =>
  fc.oneof({ arbitrary: fitting(schema, known), weight: 5 }, { arbitrary: anything, weight: 1 });

/**
 * Objects that are nearly valid: most values fit their schemas, some are hostile, some members are missing, and some are
 * unknown. `known` are ids of existing resources.
 */
export const nearMembers = (
  properties: Record<string, JsonSchema>,
  known: readonly string[],
): fc.Arbitrary<Record<string, unknown>> =>
  fc
    .tuple(
      fc.record(Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, near(schema, known)])), {
        requiredKeys: [],
      }),
      fc.oneof({ arbitrary: fc.constant({}), weight: 6 }, { arbitrary: fc.constant({ unknown: 1 }), weight: 1 }),
    )
    .map(([own, more]) => ({ ...own, ...more }));
