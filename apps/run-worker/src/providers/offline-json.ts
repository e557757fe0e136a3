import { isRecord } from '@lensforge/contracts';
import { isGood, likeliest } from './offline-answer.js';

type Schema = Readonly<Record<string, unknown>>;

export interface Request {
  prompt: string;
  /** The name of the member; empty for the whole answer. */
  name: string;
}

/**
 * A value that fits a schema: the option of an enum that the prompt mentions most, numbers from the middle of their range,
 * one item for a list. It may not fit where limits contradict each other.
 */
export function generateInstance(schema: unknown, request: Request): unknown {
  if (!isRecord(schema)) return null;
  const { const: only, enum: values, anyOf, type } = schema;
  if ('const' in schema) return only;
  if (Array.isArray(values)) return likeliest(values, request.prompt);
  if (Array.isArray(anyOf)) return generateInstance({ ...schema, anyOf: undefined, ...(anyOf[0] as Schema) }, request);
  const [first] = Array.isArray(type) ? (type as unknown[]) : [type ?? (schema['properties'] ? 'object' : 'string')];
  switch (first) {
    case 'object':
      return generateObject(schema, request);
    case 'array':
      return Array.from({ length: pickLength(schema) }, (_, at) => generateInstance(itemAt(schema, at), request));
    case 'string':
      return writeText(request)
        .padEnd(limit(schema, 'minLength') ?? 0, ' offline')
        .slice(0, limit(schema, 'maxLength') ?? 1000);
    case 'integer':
    case 'number':
      return pickNumber(schema, first === 'integer' ? 1 : 0.5);
    case 'boolean':
      return isGood(request.prompt);
    default:
      return null;
  }
}

/** Such as "Offline short summary" for the member shortSummary. */
const writeText = ({ name }: Request): string =>
  `Offline ${
    name
      .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
      .replaceAll(/[_-]+/g, ' ')
      .toLowerCase() || 'answer'
  }`;

/** One item, unless the limits or a missing schema of items ask for another number. */
const pickLength = (schema: Schema): number =>
  Math.max(limit(schema, 'minItems') ?? 0, Math.min(schema['items'] ? 1 : 0, limit(schema, 'maxItems') ?? 1));

function generateObject({ properties, required }: Schema, { prompt }: Request): Record<string, unknown> {
  const known = isRecord(properties) ? properties : {};
  const names = Array.isArray(required) ? (required as string[]) : [];
  return Object.fromEntries(
    names.map((name) => [name, Object.hasOwn(known, name) ? generateInstance(known[name], { prompt, name }) : null]),
  );
}

function itemAt({ prefixItems, items }: Schema, at: number): unknown {
  return Array.isArray(prefixItems) && at < prefixItems.length ? prefixItems[at] : (items ?? {});
}

function pickNumber(schema: Schema, step: number): number {
  const above = limit(schema, 'exclusiveMinimum');
  const below = limit(schema, 'exclusiveMaximum');
  const least = Math.max(limit(schema, 'minimum') ?? -Infinity, above === undefined ? -Infinity : above + step);
  const most = Math.min(limit(schema, 'maximum') ?? Infinity, below === undefined ? Infinity : below - step);
  const middle = Number.isFinite(least) && Number.isFinite(most) ? Math.floor((least + most) / 2) : 0;
  const value = Math.min(Math.max(middle, least), most);
  return step === 1 ? Math.ceil(value) : value;
}

const limit = (schema: Schema, word: string): number | undefined => {
  const value = schema[word];
  return typeof value === 'number' ? value : undefined;
};
