import {
  type BattleCheck,
  type CheckKind,
  type Issue,
  type ValueType,
  findFault,
  integerKind,
  recordKind,
  textKind,
  toValueType,
} from '@lensforge/contracts';
import { type Check, checkLimits } from './checks.js';

const value = toValueType(textKind({ min: 1, max: checkLimits.value }));
const values: Readonly<Record<CheckKind, ValueType>> = {
  equals: value,
  contains: value,
  matches: toValueType(textKind({ min: 1, max: checkLimits.pattern })),
  json_schema: toValueType(recordKind()),
  max_length: toValueType(integerKind({ min: 1, max: checkLimits.characters })),
  similarity: value,
  expression: toValueType(textKind({ min: 1, max: checkLimits.expression })),
};

/** The first fault of each value: its type or its length. */
export const faultsInValues = (checks: readonly BattleCheck[]): Issue[] =>
  checks.flatMap(({ kind, value }, index) => findFault(values[kind], value, `${index}.value`) ?? []);

/** A check of a battle, whose value has no fault, as the sandbox takes it. */
export function toCheck({ kind: type, weight, value }: BattleCheck): Check {
  switch (type) {
    case 'matches':
      return { type, weight, pattern: value as string };
    case 'json_schema':
      return { type, weight, schema: value as Record<string, unknown> };
    case 'max_length':
      return { type, weight, characters: value as number };
    case 'expression':
      return { type, weight, expression: value as string };
    default:
      return { type, weight, value: value as string };
  }
}
