import type { shapes } from '@lensforge/sdk';

export type CheckKind = shapes.BattleCheck['kind'];

export const checkKinds: readonly CheckKind[] = [
  'contains',
  'equals',
  'matches',
  'max_length',
  'similarity',
  'json_schema',
  'expression',
];

/** A check as it stands in fields: its value is a text. */
export interface CheckDraft {
  kind: CheckKind;
  weight: number;
  value: string;
}

/** Throws a SyntaxError when a schema is not JSON; the server checks everything else. */
export function toCheck({ kind, weight, value }: CheckDraft): shapes.BattleCheck {
  if (kind === 'max_length') return { kind, weight, value: Number(value) };
  return { kind, weight, value: kind === 'json_schema' ? (JSON.parse(value) as unknown) : value };
}

export const toCheckDraft = ({ kind, weight = 1, value }: shapes.BattleCheck): CheckDraft => ({
  kind,
  weight,
  value: typeof value === 'string' ? value : JSON.stringify(value, null, 2),
});
