import { isTerminal } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { type RunTry, readOutputText, readTries } from '@lensforge/runs';
import { type ReadableBattle, lockBattle, readableBattle } from './access.js';
import { answerRunIds } from './battle-runs.js';
import { StoredContender } from './contender.entity.js';
import { entryFault, submittedIds, writeSubmission } from './entries.js';
import { appendBattleEvents } from './events/append-battle-events.js';
import { reportJudging } from './judging/report-judging.js';
import { startScoring } from './start-scoring.js';

/** Moves a battle on after the end of one of its runs; a repeated call has no further effect. */
export function advanceBattle(ctx: Context, battleId: string): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    if (!(await lockBattle(ctx, battleId))) return;
    const found = await readableBattle(ctx, battleId);
    if (found.battle.status === 'executing') {
      await collectAnswers(ctx, found);
      await startScoring(ctx, found);
    } else if (found.battle.status === 'scoring') {
      // A judging that succeeded has told its last progress with its verdicts.
      await reportJudging(ctx, battleId);
    }
  });
}

/** Writes the answers of runs that succeeded, and the errors of those that did not. */
async function collectAnswers(ctx: Context, { battle, contenders }: ReadableBattle): Promise<void> {
  const submitted = await submittedIds(ctx, battle.id);
  const missing = contenders.filter(({ id }) => !submitted.has(id));
  const tries = await readTries(ctx, answerRunIds(missing));
  for (const contender of missing) {
    const own = tries.filter(({ firstRunId }) => firstRunId === contender.answerRunId);
    const answer = await readAnswer(ctx, contender, own);
    if (answer === undefined) continue;
    submitted.add(contender.id);
    await writeSubmission(ctx, { battleId: battle.id, contenderId: contender.id, ...answer });
    const payload = { received: submitted.size, of: contenders.length };
    await appendBattleEvents(ctx, battle.id, [{ type: 'submission.received', payload }]);
  }
}

/** The text of the first try that succeeded. Without one, the fault of the newest try becomes the contender's error. */
async function readAnswer(
  ctx: Context,
  contender: StoredContender,
  tries: readonly RunTry[],
): Promise<{ text: string; runId: string } | undefined> {
  let error: string | null = null;
  for (const { runId, status, errorMessage } of tries) {
    if (status === 'succeeded') {
      const text = (await readOutputText(ctx, runId)) ?? '';
      const fault = entryFault(text);
      if (fault === undefined) return { text, runId };
      error = `The output of the run ${fault}`;
    } else {
      error = isTerminal(status) ? (errorMessage ?? `The run is ${status}`) : null;
    }
  }
  if (tries.length > 0 && error !== contender.answerError) {
    await ctx.db.update(StoredContender, { id: contender.id }, { answerError: error });
  }
  return undefined;
}
