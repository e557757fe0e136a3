import { isRecord } from '@lensforge/contracts';

type Schema = Readonly<Record<string, unknown>>;

/** A minimal value that fits a schema; it may not fit where limits contradict each other. */
export function instanceOf(schema: unknown): unknown {
  if (!isRecord(schema)) return null;
  const { const: only, enum: values, anyOf, type } = schema;
  if ('const' in schema) return only;
  if (Array.isArray(values)) return values[0];
  if (Array.isArray(anyOf)) return instanceOf({ ...schema, anyOf: undefined, ...(anyOf[0] as Schema) });
  const [first] = Array.isArray(type) ? (type as unknown[]) : [type ?? (schema['properties'] ? 'object' : 'string')];
  switch (first) {
    case 'object':
      return objectOf(schema);
    case 'array':
      return Array.from({ length: limit(schema, 'minItems') ?? 0 }, (_, at) => instanceOf(itemAt(schema, at)));
    case 'string':
      return 'echo'.padEnd(limit(schema, 'minLength') ?? 0, ' echo').slice(0, limit(schema, 'maxLength') ?? 1000);
    case 'integer':
    case 'number':
      return numberOf(schema, first === 'integer' ? 1 : 0.5);
    case 'boolean':
      return false;
    default:
      return null;
  }
}

function objectOf({ properties, required }: Schema): Record<string, unknown> {
  const known = isRecord(properties) ? properties : {};
  const names = Array.isArray(required) ? (required as string[]) : [];
  return Object.fromEntries(names.map((name) => [name, Object.hasOwn(known, name) ? instanceOf(known[name]) : null]));
}

function itemAt({ prefixItems, items }: Schema, at: number): unknown {
  return Array.isArray(prefixItems) && at < prefixItems.length ? prefixItems[at] : (items ?? {});
}

function numberOf(schema: Schema, step: number): number {
  const above = limit(schema, 'exclusiveMinimum');
  const below = limit(schema, 'exclusiveMaximum');
  const least = Math.max(limit(schema, 'minimum') ?? -Infinity, above === undefined ? -Infinity : above + step);
  const most = Math.min(limit(schema, 'maximum') ?? Infinity, below === undefined ? Infinity : below - step);
  const value = Math.min(Math.max(0, least), most);
  return step === 1 ? Math.ceil(value) : value;
}

const limit = (schema: Schema, word: string): number | undefined => {
  const value = schema[word];
  return typeof value === 'number' ? value : undefined;
};
