import type { BattleCheck, Issue } from '@lensforge/contracts';
import { type Context, badInputs } from '@lensforge/core';
import { sandboxRefusal } from '@lensforge/sandbox';
import type { StoredBattle } from './battle.entity.js';
import { requireJudge } from './judge-family.js';
import { toCheck, faultsInValues } from './judging/battle-checks.js';
import { faultsInChecks } from './judging/judging-in-sandbox.js';
import { faultsInRubric } from './judging/rubric.js';

type Settings = Pick<StoredBattle, 'rubric' | 'checks' | 'aiJudgeModelKey'>;

/** Refuses what the schema of a request cannot: a rubric with a name twice, invalid checks, a model that cannot judge. */
export async function checkSettings(ctx: Context, { rubric, checks, aiJudgeModelKey }: Settings): Promise<void> {
  const issues = [
    ...under('rubric', faultsInRubric(rubric ?? [])),
    ...under('checks', await faultsIn(ctx, checks ?? [])),
  ];
  if (issues.length > 0) throw badInputs(issues);
  if (aiJudgeModelKey !== null) await requireJudge(ctx, aiJudgeModelKey);
}

const under = (member: string, issues: readonly Issue[]): Issue[] =>
  issues.map(({ path, message }) => ({ path: `${member}.${path}`, message }));

/** The faults of values, or else of the patterns, schemas and expressions in them. */
async function faultsIn(ctx: Context, checks: readonly BattleCheck[]): Promise<Issue[]> {
  const faults = faultsInValues(checks);
  if (faults.length > 0 || checks.length === 0) return faults;
  try {
    const found = await faultsInChecks(checks.map(toCheck), { account: ctx.actor.accountId });
    return found.map((issue) => ({ ...issue, path: issue.path.replace(/^(\d+)\.[a-z]+/, '$1.value') }));
  } catch (reason) {
    throw sandboxRefusal(reason, 'checks: their patterns and expressions');
  }
}
