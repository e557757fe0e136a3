import { getMetadataStorage } from 'class-validator';
import { faultOf, fieldsOf, kindConstraint } from './field.js';
import type { Kind, Shape } from './kinds.js';
import { isRecord } from './kinds.js';

/**
 * True when an instance is certainly valid: a fast check before class-validator, which takes about fifty times as long and
 * lists the faults. False for classes with other decorators of class-validator.
 */
export const fits = (shape: Shape, instance: object): boolean =>
  isFullyDescribed(shape) &&
  [...fieldsOf(shape).values()].every(({ name, kind, optional, nullable }) => {
    const value: unknown = Reflect.get(instance, name);
    if ((optional && value === undefined) || (nullable && value === null)) return true;
    return faultOf(kind, value, name) === undefined && membersFit(kind, value);
  });

function membersFit({ item, nested }: Kind, value: unknown): boolean {
  if (item) return (value as unknown[]).every((each) => membersFit(item, each));
  return nested === undefined || (isRecord(value) && fits(nested(), value));
}

const fullyDescribed = new WeakMap<Shape, boolean>();
const ownConstraints = new Set<string | undefined>([kindConstraint, 'nestedValidation', 'conditionalValidation']);

/** False for a class with a decorator of class-validator's own. */
function isFullyDescribed(shape: Shape): boolean {
  const known = fullyDescribed.get(shape);
  if (known !== undefined) return known;
  const constraints = getMetadataStorage().getTargetValidationMetadatas(shape, '', false, false);
  const isDescribed = constraints.every(({ type, name }) => ownConstraints.has(name ?? type));
  fullyDescribed.set(shape, isDescribed);
  return isDescribed;
}
