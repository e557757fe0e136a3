import type { ScoreJudge, UsedScorer } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { toJsonb } from '@lensforge/database';
import { type Judgement, isJudged, promptOf, scoreJudged } from '../scorers/judge-questions.js';
import type { StoredExperiment } from './experiment.entity.js';
import type { ScoreDetails } from './score-details.js';

interface JudgedCell {
  key: string;
  repetition: number;
  arm: number;
  scores: (number | null)[];
  passes: boolean[];
  details: ScoreDetails[];
  judgements: (Judgement & { scorer: number; runId: string | null })[];
}

const atATime = 500;

/** Scores the cells about which judges have answered all questions. Returns their number. */
export async function finishJudged({ db }: Context, experiment: StoredExperiment): Promise<number> {
  if (!experiment.scorers.some(isJudged)) return 0;
  const cells = await db.query<JudgedCell[]>(
    `select c.key, c.repetition, c.arm, c.scores, c.passes, c.details, j.judgements
       from experiment_cells c cross join lateral (
            select json_agg(json_build_object('scorer', scorer, 'outcome', outcome, 'reasoning', reasoning, 'runId', run_id)
                            order by scorer, part) as judgements, bool_and(state = 'done') as done
              from experiment_judgements
             where experiment_id = $1 and key = c.key and repetition = c.repetition and arm = c.arm) j
      where c.experiment_id = $1 and c.state = 'judging' and j.done limit $2`,
    [experiment.id, atATime],
  );
  if (cells.length === 0) return 0;
  await db.query(
    `update experiment_cells c set state = 'scored', scores = x.scores, passes = x.passes, details = x.details
       from jsonb_to_recordset($2::jsonb) as x(
            key text, repetition smallint, arm smallint, scores real[], passes boolean[], details json)
      where c.experiment_id = $1 and c.key = x.key and c.repetition = x.repetition and c.arm = x.arm and c.state = 'judging'`,
    [experiment.id, toJsonb(cells.map((cell) => withScores(experiment.scorers, cell)))],
  );
  return cells.length;
}

function withScores(
  scorers: readonly UsedScorer[],
  { key, repetition, arm, scores, passes, details, judgements }: JudgedCell,
): object {
  const all = { key, repetition, arm, scores: [...scores], passes: [...passes], details: [...details] };
  for (const [index, rule] of scorers.entries()) {
    const own = judgements.filter(({ scorer }) => scorer === index);
    if (own.length === 0) continue;
    const { pass, score, reason, error } = scoreJudged(rule, own);
    all.scores[index] = error === null ? score : null;
    all.passes[index] = pass;
    all.details[index] = { reason, error, assertions: [], judge: toJudge(rule, own) };
  }
  return all;
}

function toJudge(rule: UsedScorer, judgements: readonly { runId: string | null }[]): ScoreJudge {
  const runIds = judgements.flatMap(({ runId }) => (runId === null ? [] : [runId]));
  const { version, hash } = promptOf(rule);
  if (runIds.length === 0) return { model: 'offline', prompt: null, promptHash: null, runIds };
  return { model: rule.model ?? 'offline', prompt: version, promptHash: hash, runIds };
}
