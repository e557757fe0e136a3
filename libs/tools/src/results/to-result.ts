import { type Shape, listFields } from '@lensforge/contracts';
import { toSnakeCase } from '@lensforge/core';

type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Rest}`
  ? `${Head}${Capitalize<CamelCase<Rest>>}`
  : Name;

const toCamelCase = (name: string): string => name.replace(/_[a-z]/g, ([, letter = '']) => letter.toUpperCase());

/** The members of a result under their names in camelCase, without those that are given. */
type Source<R, Given> = {
  readonly [Name in Exclude<keyof R, keyof Given> as CamelCase<Name & string>]: R[Name];
};

/** A result with the members of its shape: those that are given, and all others from the source, where they are in camelCase. */
export function toResult<R extends object>(shape: Shape<R>, source: Source<R, unknown>): R;
export function toResult<R extends object, Given extends Partial<R>>(
  shape: Shape<R>,
  source: Source<R, Given>,
  given: Given,
): R;
export function toResult<R extends object>(shape: Shape<R>, source: object, given: object = {}): R {
  const values: Readonly<Record<string, unknown>> = { ...source };
  const others: Readonly<Record<string, unknown>> = { ...given };
  const members = [...listFields(shape).keys()].map((name) => [
    name,
    name in others ? others[name] : values[toCamelCase(name)],
  ]);
  return Object.fromEntries(members.filter(([, value]) => value !== undefined)) as R;
}

/** An object with the names of its members in snake_case, also inside of lists and objects. */
export function inSnakeCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inSnakeCase);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [toSnakeCase(name), inSnakeCase(member)]));
}
