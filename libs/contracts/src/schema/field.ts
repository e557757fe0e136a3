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
  /** The kind of resource that a path parameter is the id of. A malformed id is then 404, not 400. */
  idOf?: string;
}

export interface Field extends FieldOptions {
  readonly name: string;
  readonly kind: Kind;
}

const ownFields = new WeakMap<Shape, Map<string, Field>>();
const allFields = new WeakMap<Shape, ReadonlyMap<string, Field>>();

/** The fields of a class and of its base classes. */
export function fieldsOf(shape: Shape): ReadonlyMap<string, Field> {
  const known = allFields.get(shape);
  if (known) return known;
  const base = Object.getPrototypeOf(shape) as Shape;
  const inherited = base === Function.prototype ? [] : fieldsOf(base);
  const fields = new Map([...inherited, ...(ownFields.get(shape) ?? [])]);
  allFields.set(shape, fields);
  return fields;
}

/** The fault of a member's value. The caller has already accepted null and undefined where they are allowed. */
export const faultOf = (kind: Kind, value: unknown, path: string): Issue | undefined =>
  value === undefined ? { path, message: 'is required' } : kind.fault(value, path);

export function field(kind: Kind, { description, optional, nullable, idOf }: FieldOptions = {}): PropertyDecorator {
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
      ...(idOf !== undefined && { idOf }),
    });
    ownFields.set(shape, fields);
    const validator = {
      validate: (value: unknown) => !faultOf(kind, value, name),
      defaultMessage: () => '$property does not fit its kind',
    };
    ValidateBy({ name: kindConstraint, validator })(target, property);
    if (holdsObjects(kind)) ValidateNested()(target, property);
    if (optional) ValidateIf((_, value) => value !== undefined)(target, property);
    if (nullable) ValidateIf((_, value) => value !== null)(target, property);
  };
}

/** The name of the class-validator constraint of a field; its kind gives the message. */
export const kindConstraint = 'fitsKind';

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
