import { getMetadataStorage } from 'class-validator';
import { faultOf, fieldsOf, fitsKind } from './field.js';
import type { Kind, Shape } from './kinds.js';
import { isRecord } from './kinds.js';

/**
 * Whether class-validator would find nothing wrong, in a fiftieth of its time: true only for shapes of which the kinds
 * of their fields say everything. What is wrong is for class-validator to say.
 */
export const fits = (shape: Shape, instance: object): boolean =>
  saysItAll(shape) &&
  [...fieldsOf(shape).values()].every(({ name, kind, optional, nullable }) => {
    const value: unknown = Reflect.get(instance, name);
    if ((optional && value === undefined) || (nullable && value === null)) return true;
    return faultOf(kind, value, name) === undefined && holds(kind, value);
  });

function holds({ item, nested }: Kind, value: unknown): boolean {
  if (item) return (value as unknown[]).every((each) => holds(item, each));
  return nested === undefined || (isRecord(value) && fits(nested(), value));
}

const judged = new WeakMap<Shape, boolean>();
const ours = new Set<string | undefined>([fitsKind, 'nestedValidation', 'conditionalValidation']);

/** False for a class with a decorator of class-validator's own. */
function saysItAll(shape: Shape): boolean {
  const known = judged.get(shape);
  if (known !== undefined) return known;
  const constraints = getMetadataStorage().getTargetValidationMetadatas(shape, '', false, false);
  const all = constraints.every(({ type, name }) => ours.has(name ?? type));
  judged.set(shape, all);
  return all;
}
