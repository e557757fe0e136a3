import type { UsedScorer } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { toJsonb } from '@lensforge/database';
import { type EndedRun, readEndedRuns } from '@lensforge/runs';
import { isIn } from '../access.js';
import type { Assertion } from '../checks/assertion.js';
import { abstains, askJudge, judgeOf, readJudgement } from '../scorers/ask-judge.js';
import {
  type Judgement,
  type JudgedOutput,
  type Question,
  answerOffline,
  isAboutCalls,
  phrase,
  questionsAbout,
} from '../scorers/judge-questions.js';
import { forgetScorerCalls, readScorerAnswers, startScorerCall } from '../scorers/scorer-calls.js';
import { causeOf } from './cause-of.js';
import { creditsLeft } from './credits-left.js';
import type { StoredExperiment } from './experiment.entity.js';
import { type RunToolCalls, assertionsOf, readCallsOf } from './score-cells.js';
import { type Stop, firstStop, lowestPriority, startRun } from './start-run.js';

interface JudgementPlace {
  key: string;
  repetition: number;
  arm: number;
  scorer: number;
  part: number;
}

interface OpenJudgement extends JudgementPlace {
  /** The run of the judge. */
  runId: string | null;
  fault: string | null;
  answerRunId: string;
  baselineRunId: string | null;
  params: Record<string, unknown>;
  metadata: Record<string, unknown> | null;
  expected: unknown;
  assertions: Assertion[];
}

type JudgementChange = JudgementPlace & {
  state: 'waiting' | 'running' | 'done';
  runId?: string | undefined;
  fault?: string | undefined;
  credits?: number | undefined;
} & Partial<Judgement>;

export interface CollectedJudgements {
  /** The number of answers of judges that were read. */
  ended: number;
  /** The number of judges that have not answered. */
  running: number;
}

/** Reads what judges have answered since they were looked at last. */
export async function collectJudgements(ctx: Context, experiment: StoredExperiment): Promise<CollectedJudgements> {
  const open = await readOpen(ctx, experiment, 'running');
  const runs = await readEndedRuns(
    ctx,
    open.flatMap(({ runId }) => (runId === null ? [] : [runId])),
  );
  const byId = new Map(runs.map((run) => [run.runId, run]));
  const isProgram = ({ scorer }: OpenJudgement): boolean => experiment.scorers[scorer]?.kind === 'http';
  const called = await collectPrograms(ctx, experiment, open.filter(isProgram));
  const ended = open.filter(({ runId }) => byId.has(runId ?? ''));
  const judged = await readJudgedRuns(ctx, experiment, ended);
  await recordJudgements(
    ctx,
    experiment,
    ended.map((judgement) => toChange(experiment, judgement, byId.get(judgement.runId ?? '') as EndedRun, judged)),
  );
  return { ended: ended.length + called, running: open.length - ended.length - called };
}

/** Records the answers of programs that score, and returns their number. */
async function collectPrograms(
  ctx: Context,
  experiment: StoredExperiment,
  open: readonly OpenJudgement[],
): Promise<number> {
  const answers = await readScorerAnswers(
    ctx,
    open.flatMap(({ runId }) => (runId === null ? [] : [runId])),
  );
  if (answers.size === 0) return 0;
  const changes = open.flatMap((judgement): JudgementChange[] => {
    const answer = answers.get(judgement.runId ?? '');
    return answer ? [{ ...placeOf(judgement), state: 'done', credits: 0, ...answer }] : [];
  });
  await recordJudgements(ctx, experiment, changes);
  await forgetScorerCalls(ctx, [...answers.keys()]);
  return answers.size;
}

/** An answer that cannot be read is asked for once more. */
function toChange(
  experiment: StoredExperiment,
  judgement: OpenJudgement,
  run: EndedRun,
  runs: JudgedRuns,
): JudgementChange {
  const place = placeOf(judgement);
  const { credits } = run;
  const question = phrase(questionOf(experiment, judgement), toJudged(judgement, runs), seedOf(experiment, judgement));
  const read = readJudgement(run, question, judgement.fault);
  return 'fault' in read
    ? { ...place, state: 'waiting', credits, ...read }
    : { ...place, state: 'done', credits, ...read };
}

export interface JudgingOrder {
  experiment: StoredExperiment;
  /** The context of the caller who has set the experiment up. */
  owner: Context;
  timeoutMs: number;
}

/** The next questions that no judge has been asked. */
export const readJudgements = (ctx: Context, experiment: StoredExperiment, places: number): Promise<OpenJudgement[]> =>
  readOpen(ctx, experiment, 'waiting', places);

/** Asks judges about outputs, each question once, as far as the budget allows. */
export async function startJudgements(
  ctx: Context,
  order: JudgingOrder,
  waiting: readonly OpenJudgement[],
): Promise<Stop | undefined> {
  if (waiting.length === 0) return undefined;
  const { experiment } = order;
  const runs = await readJudgedRuns(ctx, experiment, waiting);
  const groups = experiment.budget === null ? [waiting] : waiting.map((judgement) => [judgement]);
  for (const group of groups) {
    const left = await creditsLeft(ctx, experiment);
    const changes = await Promise.all(group.map((judgement) => start(order, judgement, { runs, left })));
    await recordJudgements(
      ctx,
      experiment,
      changes.flatMap((change) => ('state' in change ? [change] : [])),
    );
    const stop = firstStop(changes.filter((change) => 'stop' in change));
    if (stop) return stop;
  }
  return undefined;
}

async function start(
  { experiment, owner, timeoutMs }: JudgingOrder,
  judgement: OpenJudgement,
  { runs, left }: { runs: JudgedRuns; left: number | undefined },
): Promise<JudgementChange | { stop: Stop }> {
  const { fault } = judgement;
  const place = placeOf(judgement);
  const done = (found: Judgement): JudgementChange => ({ ...place, state: 'done', ...found });
  const question = questionOf(experiment, judgement);
  const { rule } = question;
  if (rule.kind === 'pairwise' && !runs.outputs.has(judgement.baselineRunId ?? '')) {
    return done(abstains('the baseline has no answer to this case'));
  }
  const judged = toJudged(judgement, runs);
  if (rule.kind === 'http') {
    const scorer = experiment.scorers[judgement.scorer] as UsedScorer;
    const calls = experiment.calls && { ...experiment.calls, repetition: judgement.repetition };
    return { ...place, state: 'running', runId: await startScorerCall(owner, { scorer, judged, calls }) };
  }
  const judge = await judgeOf(owner, rule);
  if (judge === 'offline') return done(await answerOffline(question, judged, experiment.accountId));
  if (!judge) return done(abstains(`the model ${rule.model} is not offered any more`));
  const { id, tags, fundingSource, byokKeyId } = experiment;
  const seed = seedOf(experiment, judgement);
  const key = `experiment:${id}:${seed}`;
  const started = await startRun(() =>
    askJudge(owner, judge, {
      question: phrase(question, judged, seed),
      fault,
      cause: causeOf(experiment, judgement.repetition),
      timeoutMs,
      idempotencyKey: fault === null ? key : `${key}:again`,
      maxCredits: left,
      priority: lowestPriority,
      tags,
      fundingSource,
      byokKeyId,
    }),
  );
  if ('runId' in started) return { ...place, state: 'running', runId: started.runId };
  return 'error' in started ? done(abstains(started.error)) : started;
}

/** The question that a judgement answers. */
function questionOf({ scorers }: StoredExperiment, judgement: OpenJudgement): Question {
  const { scorer, part } = judgement;
  const questions = questionsAbout(scorers[scorer] as UsedScorer, assertionsOf(scorers, scorer, judgement));
  return questions[part] as Question;
}

const placeOf = ({ key, repetition, arm, scorer, part }: JudgementPlace): JudgementPlace => ({
  key,
  repetition,
  arm,
  scorer,
  part,
});

/** The same in an experiment that replays this one. */
const seedOf = ({ arms, scorers }: StoredExperiment, { key, repetition, arm, scorer, part }: JudgementPlace): string =>
  `judge:${scorers[scorer]?.name}.${part}:${arms[arm]?.name}:${repetition}:${key}`;

const toJudged = (
  { answerRunId, baselineRunId, params, metadata, expected }: OpenJudgement,
  { outputs, calls }: JudgedRuns,
): JudgedOutput => ({
  output: outputs.get(answerRunId) ?? '',
  baseline: outputs.get(baselineRunId ?? '') ?? '',
  params: { ...metadata, ...params },
  expected,
  toolCalls: calls.get(answerRunId),
});

/** The outputs of answers and of those of the baseline, and the calls of tools that questions are about, by their runs. */
interface JudgedRuns {
  outputs: ReadonlyMap<string, string>;
  calls: RunToolCalls;
}

async function readJudgedRuns(
  ctx: Context,
  experiment: StoredExperiment,
  judgements: readonly OpenJudgement[],
): Promise<JudgedRuns> {
  const runIds = judgements.flatMap(({ answerRunId, baselineRunId }) =>
    baselineRunId === null ? [answerRunId] : [answerRunId, baselineRunId],
  );
  const runs = await readEndedRuns(ctx, [...new Set(runIds)]);
  const asked = judgements.filter((judgement) => isAboutCalls(questionOf(experiment, judgement)));
  const answered = runs.filter(({ status }) => status === 'succeeded');
  return {
    outputs: new Map(answered.map(({ runId, output }) => [runId, output ?? ''])),
    calls: await readCallsOf(ctx, [...new Set(asked.map(({ answerRunId }) => answerRunId))]),
  };
}

/** The judgements in a state, the next ones first. Those that compare with the baseline wait for its answer. */
const readOpen = (
  ctx: Context,
  { id, datasetId, revision, baseline, scorers }: StoredExperiment,
  state: 'waiting' | 'running',
  limit = 10_000,
): Promise<OpenJudgement[]> => {
  const pairwise = scorers.flatMap(({ kind }, index) => (kind === 'pairwise' ? [index] : []));
  return ctx.db.query<OpenJudgement[]>(
    `select j.key, j.repetition, j.arm, j.scorer, j.part, j.run_id as "runId", j.fault, c.run_id as "answerRunId",
            b.run_id as "baselineRunId", d.params, d.metadata, d.expected,
            coalesce(d.assertions, '[]') as assertions
       from experiment_judgements j
       join experiment_cells c on c.experiment_id = $1 and c.key = j.key and c.repetition = j.repetition and c.arm = j.arm
       join dataset_cases d on d.dataset_id = $2 and d.key = j.key and ${isIn('d', '$3')}
       left join experiment_cells b on j.scorer = any ($6) and b.experiment_id = $1 and b.key = j.key
        and b.repetition = j.repetition and b.arm = $5
      where j.experiment_id = $1 and j.state = '${state}' and (not j.scorer = any ($6) or b.state not in ('waiting', 'running'))
      order by j.key, j.repetition, j.arm, j.scorer, j.part limit $4`,
    [id, datasetId, revision, limit, baseline, pairwise],
  );
};

async function recordJudgements(
  { db }: Context,
  { id }: StoredExperiment,
  changes: readonly JudgementChange[],
): Promise<void> {
  if (changes.length === 0) return;
  await db.query(
    `update experiment_judgements j set state = x.state, run_id = coalesce(x."runId", j.run_id), fault = coalesce(x.fault, j.fault),
            outcome = x.outcome, reasoning = x.reasoning, credits = j.credits + coalesce(x.credits, 0)
       from jsonb_to_recordset($2::jsonb) as x(
            key text, repetition smallint, arm smallint, scorer smallint, part smallint, state text, "runId" uuid, fault text,
            outcome text, reasoning text, credits bigint)
      where j.experiment_id = $1 and j.key = x.key and j.repetition = x.repetition and j.arm = x.arm and j.scorer = x.scorer
        and j.part = x.part and j.state <> 'done' and j.state = case when x.credits is null then 'waiting' else 'running' end`,
    [id, toJsonb(changes)],
  );
}
