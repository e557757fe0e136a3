import type { UsedScorer } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { toJsonb } from '@lensforge/database';
import type { EndedRun } from '@lensforge/runs';
import type { Assertion } from '../checks/assertion.js';
import type { CheckScore } from '../checks/check-output.js';
import type { CheckTask } from '../checks/check-tasks.js';
import { checkInSandbox } from '../checks/check-in-sandbox.js';
import { countQuestions, isJudged, ofBaseline } from '../scorers/judge-questions.js';
import type { StoredExperiment } from './experiment.entity.js';
import type { EndedCell, RunningCell } from './pass-cells.js';
import type { ScoreDetails } from './score-details.js';

/** Scores the outputs of cells, each once. */
export async function scoreCells(
  ctx: Context,
  experiment: StoredExperiment,
  cells: readonly EndedCell[],
): Promise<void> {
  const scores = await scoreAll(
    experiment,
    cells.filter(({ run: { status } }) => status === 'succeeded'),
  );
  await recordScores(
    ctx,
    experiment,
    cells.map(({ cell, run }) => {
      const own = scores.get(cell);
      const { key, repetition, arm } = cell;
      const { credits, tokenInput, tokenOutput, latencyMs } = run;
      const usage = { key, repetition, arm, credits, tokenInput, tokenOutput, latencyMs };
      if (!own) return { ...usage, state: 'failed', error: run.errorMessage ?? `the run has ended as ${run.status}` };
      return {
        ...usage,
        state: own.some((score) => score === 'judge') ? 'judging' : 'scored',
        scores: own.map((score) => (score === 'judge' ? null : score.score)),
        passes: own.map((score) => score !== 'judge' && score.pass),
        details: own.map((score) => (score === 'judge' ? judgeIsAsked : toDetails(score))),
      };
    }),
  );
}

const judgeIsAsked: ScoreDetails = { reason: 'the judge is asked', assertions: [] };

const toDetails = ({ reason, assertions }: CheckScore): ScoreDetails => ({ reason, assertions });

/** The scores of all scorers for each cell; `judge` where a judge is asked. */
async function scoreAll(
  { scorers, baseline, accountId }: StoredExperiment,
  answered: readonly EndedCell[],
): Promise<Map<RunningCell, (CheckScore | 'judge')[]>> {
  const checks = scorers.filter((scorer) => !isJudged(scorer));
  const tasks = answered.flatMap(({ cell, run }) => checks.map((scorer, index) => toTask(scorer, index, cell, run)));
  const scores = await checkInSandbox(tasks, accountId);
  return new Map(
    answered.map(({ cell }, at) => {
      const own = scores.slice(at * checks.length, (at + 1) * checks.length).values();
      const all = scorers.map((scorer): CheckScore | 'judge' => {
        if (!isJudged(scorer)) return own.next().value as CheckScore;
        return scorer.kind === 'pairwise' && cell.arm === baseline ? { ...ofBaseline, assertions: [] } : 'judge';
      });
      return [cell, all] as const;
    }),
  );
}

/** The assertions of a case count with those of the first check. */
function toTask(
  scorer: UsedScorer,
  index: number,
  cell: RunningCell,
  { output, latencyMs, credits }: EndedRun,
): CheckTask {
  const { assertions = [], threshold } = scorer;
  const { metadata, expected } = cell;
  const params = { ...metadata, ...cell.params };
  return {
    check: {
      assertions: [...(assertions as unknown as Assertion[]), ...(index === 0 ? cell.assertions : [])],
      threshold,
    },
    subject: { output: output ?? '', params, expected, latencyMs, credits },
  };
}

type ScoredCell = Pick<RunningCell, 'key' | 'repetition' | 'arm'> &
  Pick<EndedRun, 'credits' | 'tokenInput' | 'tokenOutput' | 'latencyMs'> & {
    state: string;
    error?: string;
    scores?: (number | null)[];
    passes?: boolean[];
    details?: ScoreDetails[];
  };

/** Records scores, and the questions to judges about cells that are not scored yet. */
async function recordScores(
  { db }: Context,
  { id, scorers, baseline }: StoredExperiment,
  cells: readonly ScoredCell[],
): Promise<void> {
  if (cells.length === 0) return;
  const questions = scorers.flatMap((rule, scorer) =>
    Array.from({ length: countQuestions(rule) }, (_, part) => ({ scorer, part, compares: rule.kind === 'pairwise' })),
  );
  await db.query(
    `with recorded as (
       update experiment_cells c set state = x.state, error = x.error, scores = x.scores, passes = x.passes, details = x.details,
              credits = x.credits, token_input = x."tokenInput", token_output = x."tokenOutput", latency_ms = x."latencyMs"
         from jsonb_to_recordset($2::jsonb) as x(
              key text, repetition smallint, arm smallint, state text, error text, scores real[], passes boolean[], details json,
              credits bigint, "tokenInput" int, "tokenOutput" int, "latencyMs" int)
        where c.experiment_id = $1 and c.key = x.key and c.repetition = x.repetition and c.arm = x.arm and c.state = 'running'
       returning c.key, c.repetition, c.arm, c.state)
     insert into experiment_judgements (experiment_id, key, repetition, arm, scorer, part)
     select $1, r.key, r.repetition, r.arm, q.scorer, q.part
       from recorded r, jsonb_to_recordset($3::jsonb) as q(scorer smallint, part smallint, compares boolean)
      where r.state = 'judging' and not (q.compares and r.arm = $4)`,
    [id, toJsonb(cells), toJsonb(questions), baseline ?? -1],
  );
}
