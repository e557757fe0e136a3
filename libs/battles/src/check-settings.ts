import type { BattleCheck, CheckKind, Issue, Kind, RubricCriterion } from '@lensforge/contracts';
import { integerKind, recordKind, textKind } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { badInputs } from '@lensforge/core';
import type { StoredBattle } from './battle.entity.js';
import { requireJudge } from './judge-family.js';

type Settings = Pick<StoredBattle, 'rubric' | 'checks' | 'aiJudgeModelKey'>;

/** Refuses what the schema of a request cannot: a rubric with a name twice, invalid checks, a model that cannot judge. */
export async function checkSettings(ctx: Context, { rubric, checks, aiJudgeModelKey }: Settings): Promise<void> {
  const issues = [...faultsInNames(rubric ?? []), ...faultsInValues(checks ?? [])];
  if (issues.length > 0) throw badInputs(issues);
  if (aiJudgeModelKey !== null) await requireJudge(ctx, aiJudgeModelKey);
}

function faultsInNames(rubric: readonly RubricCriterion[]): Issue[] {
  const names = rubric.map(({ name }) => name.trim().toLowerCase());
  return names.flatMap((name, at) =>
    names.indexOf(name) < at ? [{ path: `rubric.${at}.name`, message: 'is the name of an earlier criterion' }] : [],
  );
}

const value = textKind({ min: 1, max: 100_000 });
const values: Readonly<Record<CheckKind, Kind>> = {
  equals: value,
  contains: value,
  matches: textKind({ min: 1, max: 1000 }),
  json_schema: recordKind(),
  max_length: integerKind({ min: 1, max: 100_000 }),
  similarity: value,
  expression: textKind({ min: 1, max: 4000 }),
};

const faultsInValues = (checks: readonly BattleCheck[]): Issue[] =>
  checks.flatMap(({ kind, value }, at) => values[kind].fault(value, `checks.${at}.value`) ?? []);
