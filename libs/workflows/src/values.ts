import { isRecord } from '@lensforge/contracts';

/** `{"$": "inputs.text"}` in settings: replaced by the value of the expression. */
export interface ExpressionValue {
  $: string;
}

export function isExpressionValue(value: unknown): value is ExpressionValue {
  return isRecord(value) && typeof value['$'] === 'string' && Object.keys(value).length === 1;
}

export interface LocatedExpression {
  path: string;
  text: string;
}

/** The expressions in a value of settings, with their paths. */
export function expressionsIn(value: unknown, path: string): LocatedExpression[] {
  if (isExpressionValue(value)) return [{ path, text: value.$ }];
  if (Array.isArray(value)) return value.flatMap((each, index) => expressionsIn(each, `${path}[${index}]`));
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, each]) => expressionsIn(each, `${path}.${name}`));
}

/** Replaces every expression in a value of settings by its value. */
export function resolveValue(value: unknown, evaluate: (text: string) => unknown): unknown {
  if (isExpressionValue(value)) return evaluate(value.$);
  if (Array.isArray(value)) return value.map((each) => resolveValue(each, evaluate));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, resolveValue(each, evaluate)]));
}
