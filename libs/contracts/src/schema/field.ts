import {
  type IntegerLimits,
  type Issue,
  type Kind,
  type ListLimits,
  type Shape,
  type TextLimits,
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
import { type Field, type FieldOptions, type Fields, getEntry } from './shape-registry.js';

/** The fields of a class, after those of its base classes. */
export function listFields(shape: Shape): Fields {
  const entry = getEntry(shape);
  return (entry.fields ??= new Map([...inheritedFields(shape), ...entry.ownFields]));
}

/** The same fields in the order of reported faults: those of the class before those of its base classes. */
export function fieldsToCheck(shape: Shape): readonly Field[] {
  const entry = getEntry(shape);
  return (entry.fieldsToCheck ??= [...new Map([...entry.ownFields, ...listFields(shape)]).values()]);
}

function inheritedFields(shape: Shape): Fields {
  const base = Object.getPrototypeOf(shape) as Shape;
  return base === Function.prototype ? new Map() : listFields(base);
}

/** The fault of a member's value. The caller has already accepted null and undefined where they are allowed. */
export const findFault = (kind: Kind, value: unknown, path: string): Issue | undefined =>
  value === undefined ? { path, message: 'is required' } : kind.fault(value, path);

export function field(kind: Kind, { description, optional, nullable, idOf }: FieldOptions = {}): PropertyDecorator {
  return (target, property) => {
    const name = String(property);
    getEntry(target.constructor as Shape).ownFields.set(name, {
      name,
      kind,
      ...(description !== undefined && { description }),
      ...(optional !== undefined && { optional }),
      ...(nullable !== undefined && { nullable }),
      ...(idOf !== undefined && { idOf }),
    });
  };
}

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
