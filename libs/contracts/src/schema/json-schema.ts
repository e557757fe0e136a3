import { listFields } from './field.js';
import { isFreeForm } from './free-form.js';
import type { JsonSchema, Kind, Shape } from './kinds.js';
import { getEntry } from './shape-registry.js';

/** The JSON Schema (2020-12, without references) of the values that `parse` accepts. */
export const jsonSchema = (shape: Shape): JsonSchema => (getEntry(shape).jsonSchema ??= toSchema(shape));

function toSchema(shape: Shape): JsonSchema {
  if (isFreeForm(shape)) return { type: 'object', properties: {}, additionalProperties: true };
  const defaults = new shape() as Record<string, unknown>;
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  for (const [name, { kind, description, optional, nullable }] of listFields(shape)) {
    const schema = schemaOfKind(kind);
    properties[name] = {
      ...(nullable ? orNull(schema) : schema),
      ...(description && { description }),
      ...(defaults[name] !== undefined && { default: defaults[name] }),
    };
    if (!optional && defaults[name] === undefined) required.push(name);
  }
  return { type: 'object', properties, ...(required.length > 0 && { required }), additionalProperties: false };
}

function schemaOfKind({ schema, nested, item }: Kind): JsonSchema {
  if (nested) return jsonSchema(nested());
  return item ? { ...schema(), items: schemaOfKind(item) } : schema();
}

function orNull(schema: JsonSchema): JsonSchema {
  const { type, enum: values } = schema;
  if (type === undefined) return schema;
  return { ...schema, type: [type, 'null'], ...(Array.isArray(values) && { enum: [...(values as unknown[]), null] }) };
}
