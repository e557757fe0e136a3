import { type Shape, listFields } from '@lensforge/contracts';
import { toSnakeCase } from '@lensforge/core';

type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Rest}`
  ? `${Head}${Capitalize<CamelCase<Rest>>}`
  : Name;

/** The names of the members of all shapes. */
const camelCaseNames = new Map<string, string>();

function toCamelCase(name: string): string {
  const known = camelCaseNames.get(name);
  if (known !== undefined) return known;
  const made = name.replace(/_[a-z]/g, ([, letter = '']) => letter.toUpperCase());
  camelCaseNames.set(name, made);
  return made;
}

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
  const result: Record<string, unknown> = {};
  for (const name of listFields(shape).keys()) {
    const value: unknown = name in given ? Reflect.get(given, name) : Reflect.get(source, toCamelCase(name));
    if (value !== undefined) result[name] = value;
  }
  return result as R;
}

/** An object with the names of its members in snake_case, also inside of lists and objects. */
export function inSnakeCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inSnakeCase);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [toSnakeCase(name), inSnakeCase(member)]));
}
