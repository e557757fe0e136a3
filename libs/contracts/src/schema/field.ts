import { IsOptional, ValidateIf } from 'class-validator';
import {
  type IntegerLimits,
  type Kind,
  type ListLimits,
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
import type { Field, Shape } from './rules.js';

export interface FieldOptions extends Pick<Field, 'description' | 'idOf'> {
  optional?: boolean;
  nullable?: boolean;
}

/** Composes the decorators of class-validator for a member. */
export function field(kind: Kind, { optional, nullable, description, idOf }: FieldOptions = {}): PropertyDecorator {
  const context = { ...(description !== undefined && { description }), ...(idOf !== undefined && { idOf }) };
  return (target, property) => {
    for (const decorate of [...absence(optional, nullable), ...kind({ context })]) decorate(target, property);
  };
}

function absence(optional = false, nullable = false): PropertyDecorator[] {
  if (optional && nullable) return [IsOptional()];
  return optional ? [isGiven] : nullable ? [isNotNull] : [];
}

/** Unlike `IsOptional`, these two distinguish null from an absent member. */
const isGiven = ValidateIf((_, value) => value !== undefined);
const isNotNull = ValidateIf((_, value) => value !== null);

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
