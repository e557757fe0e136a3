import { isTerminal } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { type RunTry, readSpending, readTries } from '@lensforge/runs';
import { answerRunIds } from './battle-runs.js';
import type { StoredBattle } from './battle.entity.js';
import type { StoredContender } from './contender.entity.js';

interface BattleRuns {
  contenders: readonly Pick<StoredContender, 'answerRunId'>[];
  /** A run that does not count, and neither do later ones that have not ended: they yield to it. */
  before?: string;
}

/** The credits of the budget that no run of the battle costs or may still cost; undefined without a budget. */
export async function creditsLeft(
  ctx: Context,
  { budgetCredits, judgingRunId }: Pick<StoredBattle, 'budgetCredits' | 'judgingRunId'>,
  { contenders, before }: BattleRuns,
): Promise<number | undefined> {
  if (budgetCredits === null) return undefined;
  const judging = judgingRunId === null ? [] : [judgingRunId];
  const tries = await readTries(ctx, [...answerRunIds(contenders), ...judging]);
  const counted = tries.filter((each) => before === undefined || counts(each, before));
  const used = await readSpending(
    ctx,
    counted.map(({ runId }) => runId),
  );
  return Math.max(0, Number(budgetCredits) - used);
}

const counts = ({ runId, status }: RunTry, before: string): boolean =>
  runId < before || (runId > before && isTerminal(status));
