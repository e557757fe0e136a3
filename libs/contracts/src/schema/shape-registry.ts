import type { JsonSchema, Kind, Shape } from './kinds.js';

export interface FieldOptions {
  description?: string;
  optional?: boolean;
  nullable?: boolean;
  /** The kind of resource that a path parameter is the id of. A malformed id is then 404, not 400. */
  idOf?: string;
}

export interface Field extends FieldOptions {
  readonly name: string;
  readonly kind: Kind;
}

export type Fields = ReadonlyMap<string, Field>;

/** The decorated fields of a wire class, and the results that are derived from them on first use. */
export interface ShapeEntry {
  /** Without the fields of base classes. */
  readonly ownFields: Map<string, Field>;
  fields?: Fields;
  fieldsToCheck?: readonly Field[];
  jsonSchema?: JsonSchema;
}

/** All wire classes; they live as long as the process. */
const shapes = new Map<Shape, ShapeEntry>();

export function getEntry(shape: Shape): ShapeEntry {
  let entry = shapes.get(shape);
  if (!entry) shapes.set(shape, (entry = { ownFields: new Map() }));
  return entry;
}
