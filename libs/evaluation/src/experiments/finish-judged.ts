import type { UsedScorer } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { toJsonb } from '@lensforge/database';
import { readEndedRuns } from '@lensforge/runs';
import { isIn } from '../access.js';
import { checkInSandbox } from '../checks/check-in-sandbox.js';
import type { CheckScore } from '../checks/check-output.js';
import {
  type JudgeFinding,
  type Judgement,
  scoreJudged,
  toJudge,
  unlessMissing,
  withJudgements,
} from '../scorers/judge-questions.js';
import type { StoredExperiment } from './experiment.entity.js';
import { type RunningCell, goneRun } from './pass-cells.js';
import { assertionsOf, readCalls, toTask } from './score-cells.js';
import type { ScoreDetails } from './score-details.js';

interface JudgedCell extends Pick<RunningCell, 'params' | 'metadata' | 'expected' | 'assertions'> {
  key: string;
  repetition: number;
  arm: number;
  runId: string;
  scores: (number | null)[];
  passes: boolean[];
  details: ScoreDetails[];
  judgements: StoredJudgement[];
}

type StoredJudgement = Judgement & { scorer: number; runId: string | null };

const atATime = 500;

/** Scores the cells about which judges have answered all questions. Returns their number. */
export async function finishJudged(ctx: Context, experiment: StoredExperiment): Promise<number> {
  const { id, datasetId, revision } = experiment;
  const cells = await ctx.db.query<JudgedCell[]>(
    `select c.key, c.repetition, c.arm, c.run_id as "runId", c.scores, c.passes, c.details, j.judgements,
            d.params, d.metadata, d.expected, coalesce(d.assertions, '[]') as assertions
       from experiment_cells c
       cross join lateral (
            select json_agg(json_build_object('scorer', scorer, 'outcome', outcome, 'reasoning', reasoning, 'runId', run_id)
                            order by scorer, part) as judgements, bool_and(state = 'done') as done
              from experiment_judgements
             where experiment_id = $1 and key = c.key and repetition = c.repetition and arm = c.arm) j
       join dataset_cases d on d.dataset_id = $2 and d.key = c.key and ${isIn('d', '$3')}
      where c.experiment_id = $1 and c.state = 'judging' and j.done limit ${atATime}`,
    [id, datasetId, revision],
  );
  if (cells.length === 0) return 0;
  const scored = await scoreJudgedCells(ctx, experiment, cells);
  await ctx.db.query(
    `update experiment_cells c set state = 'scored', scores = x.scores, passes = x.passes, details = x.details
       from jsonb_to_recordset($2::jsonb) as x(
            key text, repetition smallint, arm smallint, scores real[], passes boolean[], details json)
      where c.experiment_id = $1 and c.key = x.key and c.repetition = x.repetition and c.arm = x.arm and c.state = 'judging'`,
    [id, toJsonb(scored)],
  );
  return cells.length;
}

async function scoreJudgedCells(
  ctx: Context,
  { scorers, accountId }: StoredExperiment,
  cells: readonly JudgedCell[],
): Promise<object[]> {
  const judged = cells.flatMap((cell) =>
    scorers.flatMap((rule, index) => {
      const judgements = cell.judgements.filter(({ scorer }) => scorer === index);
      return judgements.length > 0 ? [{ cell, rule, index, judgements }] : [];
    }),
  );
  const checks = judged.filter(({ rule }) => rule.kind === 'check');
  const runs = await readEndedRuns(ctx, [...new Set(checks.map(({ cell }) => cell.runId))]);
  const byId = new Map(runs.map((run) => [run.runId, run]));
  const calls = await readCalls(
    ctx,
    { scorers },
    checks.map(({ cell }) => ({ cell, run: cell })),
  );
  const tasks = checks.map(({ cell, rule, index, judgements }) => {
    const assertions = assertionsOf(scorers, index, cell);
    const run = byId.get(cell.runId) ?? goneRun(cell.runId);
    return toTask(rule, withJudgements(rule, assertions, judgements), { cell, run, toolCalls: calls.get(cell.runId) });
  });
  const results = (await checkInSandbox(tasks, accountId)).values();
  const scores = judged.map((each) => ({ ...each, score: scoreOf(each, results) }));
  return cells.map((cell) => {
    const { key, repetition, arm } = cell;
    const all = {
      key,
      repetition,
      arm,
      scores: [...cell.scores],
      passes: [...cell.passes],
      details: [...cell.details],
    };
    for (const { index, score, ...each } of scores.filter((each) => each.cell === cell)) {
      all.scores[index] = score.error === null ? score.score : null;
      all.passes[index] = score.pass;
      all.details[index] = {
        reason: score.reason,
        error: score.error,
        assertions: score.assertions,
        judge: toJudge(
          each.rule,
          each.judgements.map(({ runId }) => ({ runIds: runId === null ? [] : [runId] })),
        ),
      };
    }
    return all;
  });
}

/** The score of a judge; of a check it is that of all its assertions, unless a judgement is missing. */
function scoreOf(
  { rule, judgements }: { rule: UsedScorer; judgements: readonly StoredJudgement[] },
  checks: Iterator<CheckScore>,
): JudgeFinding & Pick<CheckScore, 'assertions'> {
  if (rule.kind !== 'check') return { ...scoreJudged(rule, judgements), assertions: [] };
  return unlessMissing(checks.next().value as CheckScore, judgements);
}
