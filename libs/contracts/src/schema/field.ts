import { ValidateBy, ValidateIf, ValidateNested } from 'class-validator';
import type { IntegerLimits, Issue, Kind, ListLimits, Shape, TextLimits } from './kinds.js';
import {
  dateTimeKind,
  decimalKind,
  flagKind,
  integerKind,
  jsonKind,
  listKind,
  nestedKind,
  oneOfKind,
  recordKind,
  textKind,
  uuidKind,
} from './kinds.js';

export interface FieldOptions {
  description?: string;
  optional?: boolean;
  nullable?: boolean;
  /** Of a path parameter: what it is the id of. A value that cannot be an id is then 404, not 400. */
  names?: string;
}

export interface Field extends FieldOptions {
  readonly name: string;
  readonly kind: Kind;
}

const ownFields = new WeakMap<Shape, Map<string, Field>>();
const allFields = new WeakMap<Shape, ReadonlyMap<string, Field>>();

/** The fields of a class and of those that it extends. */
export function fieldsOf(shape: Shape): ReadonlyMap<string, Field> {
  const known = allFields.get(shape);
  if (known) return known;
  const base = Object.getPrototypeOf(shape) as Shape;
  const inherited = base === Function.prototype ? [] : fieldsOf(base);
  const fields = new Map([...inherited, ...(ownFields.get(shape) ?? [])]);
  allFields.set(shape, fields);
  return fields;
}

/** What stands in the way of a member's value; null and undefined are let pass before this where they may be. */
export const faultOf = (kind: Kind, value: unknown, path: string): Issue | undefined =>
  value === undefined ? { path, message: 'is required' } : kind.fault(value, path);

export function field(kind: Kind, { description, optional, nullable, names }: FieldOptions = {}): PropertyDecorator {
  return (target, property) => {
    const name = String(property);
    const shape = target.constructor as Shape;
    const fields = ownFields.get(shape) ?? new Map<string, Field>();
    fields.set(name, {
      name,
      kind,
      ...(description !== undefined && { description }),
      ...(optional !== undefined && { optional }),
      ...(nullable !== undefined && { nullable }),
      ...(names !== undefined && { names }),
    });
    ownFields.set(shape, fields);
    const validator = {
      validate: (value: unknown) => !faultOf(kind, value, name),
      defaultMessage: () => '$property does not fit its kind',
    };
    ValidateBy({ name: fitsKind, validator })(target, property);
    if (holdsObjects(kind)) ValidateNested()(target, property);
    if (optional) ValidateIf((_, value) => value !== undefined)(target, property);
    if (nullable) ValidateIf((_, value) => value !== null)(target, property);
  };
}

/** The one constraint that class-validator checks of a field; the kind itself knows what is wrong. */
export const fitsKind = 'fitsKind';

const holdsObjects = ({ nested, item }: Kind): boolean => (item ? holdsObjects(item) : nested !== undefined);

export const text = (options: TextLimits & FieldOptions = {}) => field(textKind(options), options);
export const uuid = (options?: FieldOptions) => field(uuidKind(), options);
export const integer = (options: IntegerLimits & FieldOptions = {}) => field(integerKind(options), options);
export const decimal = (options: IntegerLimits & FieldOptions = {}) => field(decimalKind(options), options);
export const flag = (options?: FieldOptions) => field(flagKind(), options);
export const oneOf = (values: readonly string[], options?: FieldOptions) => field(oneOfKind(values), options);
export const dateTime = (options?: FieldOptions) => field(dateTimeKind(), options);
export const record = (options?: FieldOptions) => field(recordKind(), options);
export const json = (options?: FieldOptions) => field(jsonKind(), options);
export const nested = (shape: () => Shape, options?: FieldOptions) => field(nestedKind(shape), options);
export const list = (item: Kind, options: ListLimits & FieldOptions = {}) => field(listKind(item, options), options);
