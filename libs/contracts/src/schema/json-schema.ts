import { isFreeForm } from './free-form.js';
import { type JsonSchema, type Shape, type ValueType, derivedFrom, listFields } from './rules.js';

/** The JSON Schema (2020-12, without references) of the values that `parse` accepts. */
export const jsonSchema = (shape: Shape): JsonSchema => (derivedFrom(shape).jsonSchema ??= toSchema(shape));

function toSchema(shape: Shape): JsonSchema {
  if (isFreeForm(shape)) return { type: 'object', properties: {}, additionalProperties: true };
  const defaults = new shape() as Record<string, unknown>;
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  for (const [name, { type, description, optional, nullable }] of listFields(shape)) {
    const schema = schemaOfType(type);
    properties[name] = {
      ...(nullable ? orNull(schema) : schema),
      ...(description && { description }),
      ...(defaults[name] !== undefined && { default: defaults[name] }),
    };
    if (!optional && defaults[name] === undefined) required.push(name);
  }
  return { type: 'object', properties, ...(required.length > 0 && { required }), additionalProperties: false };
}

function schemaOfType({ schema, nested, item }: ValueType): JsonSchema {
  if (nested) return jsonSchema(nested());
  return item ? { ...schema, items: schemaOfType(item) } : schema;
}

function orNull(schema: JsonSchema): JsonSchema {
  const { type, enum: values } = schema;
  if (type === undefined) return schema;
  return { ...schema, type: [type, 'null'], ...(Array.isArray(values) && { enum: [...(values as unknown[]), null] }) };
}
