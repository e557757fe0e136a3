import type { UsedScorer } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { toJsonb } from '@lensforge/database';
import { type EndedRun, readToolCalls } from '@lensforge/runs';
import type { Assertion, ToolCall } from '../checks/assertion.js';
import { type CheckScore, needsToolCalls } from '../checks/check-output.js';
import type { CheckTask } from '../checks/check-tasks.js';
import { checkInSandbox } from '../checks/check-in-sandbox.js';
import { type Question, ofBaseline, questionsAbout } from '../scorers/judge-questions.js';
import type { StoredExperiment } from './experiment.entity.js';
import type { EndedCell, RunningCell } from './pass-cells.js';
import type { ScoreDetails } from './score-details.js';

/** Scores the outputs of cells, each once. Returns true when judges must be asked about some of them. */
export async function scoreCells(
  ctx: Context,
  experiment: StoredExperiment,
  cells: readonly EndedCell[],
): Promise<boolean> {
  const answered = cells.filter(({ run: { status } }) => status === 'succeeded');
  const scores = await scoreAll(experiment, answered, await readCalls(ctx, experiment, answered));
  const scored = cells.map((ended) => {
    const { cell, run } = ended;
    const own = scores.get(ended);
    const { key, repetition, arm } = cell;
    const { credits, tokenInput, tokenOutput, latencyMs } = run;
    const usage = { key, repetition, arm, credits, tokenInput, tokenOutput, latencyMs };
    if (!own) return { ...usage, state: 'failed', error: run.errorMessage ?? `the run has ended as ${run.status}` };
    const questions = own.flatMap((score, scorer) =>
      Array.isArray(score) ? score.map((_, part) => ({ scorer, part })) : [],
    );
    return {
      ...usage,
      state: questions.length > 0 ? 'judging' : 'scored',
      scores: own.map((score) => (Array.isArray(score) ? null : score.score)),
      passes: own.map((score) => !Array.isArray(score) && score.pass),
      details: own.map((score) => (Array.isArray(score) ? judgeIsAsked : toDetails(score))),
      questions,
    };
  });
  await recordScores(ctx, experiment, scored);
  return scored.some(({ state }) => state === 'judging');
}

const judgeIsAsked: ScoreDetails = { reason: 'the judge is asked', assertions: [] };

export const toDetails = ({ reason, assertions }: CheckScore): ScoreDetails => ({ reason, assertions });

/** The scores of all scorers for each cell, or the questions to the judge who decides. */
async function scoreAll(
  experiment: StoredExperiment,
  answered: readonly EndedCell[],
  calls: RunToolCalls,
): Promise<Map<EndedCell, (CheckScore | Question[])[]>> {
  const { scorers, baseline, accountId } = experiment;
  const found = answered.map((ended) => ({
    ended,
    scores: scorers.map((scorer, index): CheckScore | CheckTask | Question[] => {
      if (scorer.kind === 'pairwise' && ended.cell.arm === baseline) return { ...ofBaseline, assertions: [] };
      const assertions = assertionsOf(scorers, index, ended.cell);
      const questions = questionsAbout(scorer, assertions);
      return questions.length > 0
        ? questions
        : toTask(scorer, assertions, { ...ended, toolCalls: calls.get(ended.run.runId) });
    }),
  }));
  const tasks = found.flatMap(({ scores }) => scores.filter(isTask));
  const results = (await checkInSandbox(tasks, accountId)).values();
  return new Map(
    found.map(({ ended, scores }) => [
      ended,
      scores.map((score) => (isTask(score) ? (results.next().value as CheckScore) : score)),
    ]),
  );
}

export type RunToolCalls = ReadonlyMap<string, readonly ToolCall[]>;

/** The calls of tools in the runs of cells, if an assertion is about them. */
export async function readCalls(
  ctx: Context,
  { scorers }: Pick<StoredExperiment, 'scorers'>,
  cells: readonly { cell: Pick<RunningCell, 'assertions'>; run: Pick<EndedRun, 'runId'> }[],
): Promise<RunToolCalls> {
  const asks = ({ cell }: (typeof cells)[number]): boolean =>
    scorers.some(({ kind }, index) => kind === 'check' && assertionsOf(scorers, index, cell).some(needsToolCalls));
  return readCallsOf(
    ctx,
    cells.filter(asks).map(({ run }) => run.runId),
  );
}

/** The calls of tools in runs. */
export async function readCallsOf(ctx: Context, runIds: readonly string[]): Promise<RunToolCalls> {
  const found = new Map<string, ToolCall[]>();
  for (const { runId, name, toolId, input } of await readToolCalls(ctx, runIds)) {
    const call = { names: toolId === null ? [name] : [name, toolId], input };
    found.set(runId, [...(found.get(runId) ?? []), call]);
  }
  return found;
}

const isTask = (score: CheckScore | CheckTask | Question[]): score is CheckTask => 'check' in score;

/** The assertions of a check for a cell: those of the case count with those of the first check. */
export function assertionsOf(
  scorers: readonly UsedScorer[],
  index: number,
  { assertions }: Pick<RunningCell, 'assertions'>,
): Assertion[] {
  const own = (scorers[index]?.assertions ?? []) as unknown as Assertion[];
  return index === scorers.findIndex(({ kind }) => kind === 'check') ? [...own, ...assertions] : own;
}

export function toTask(
  { threshold }: UsedScorer,
  assertions: readonly Assertion[],
  {
    cell,
    run: { output, latencyMs, credits, finishReason },
    toolCalls,
  }: {
    cell: Pick<RunningCell, 'params' | 'metadata' | 'expected'>;
    run: EndedRun;
    toolCalls: readonly ToolCall[] | undefined;
  },
): CheckTask {
  const params = { ...cell.metadata, ...cell.params };
  return {
    check: { assertions, threshold },
    subject: { output: output ?? '', params, expected: cell.expected, latencyMs, credits, finishReason, toolCalls },
  };
}

type ScoredCell = Pick<RunningCell, 'key' | 'repetition' | 'arm'> &
  Pick<EndedRun, 'credits' | 'tokenInput' | 'tokenOutput' | 'latencyMs'> & {
    state: string;
    error?: string;
    scores?: (number | null)[];
    passes?: boolean[];
    details?: ScoreDetails[];
    questions?: { scorer: number; part: number }[];
  };

/** Records scores, and the questions to judges about cells that are not scored yet. */
async function recordScores({ db }: Context, { id }: StoredExperiment, cells: readonly ScoredCell[]): Promise<void> {
  if (cells.length === 0) return;
  await db.query(
    `with recorded as (
       update experiment_cells c set state = x.state, error = x.error, scores = x.scores, passes = x.passes, details = x.details,
              credits = x.credits, token_input = x."tokenInput", token_output = x."tokenOutput", latency_ms = x."latencyMs"
         from jsonb_to_recordset($2::jsonb) as x(
              key text, repetition smallint, arm smallint, state text, error text, scores real[], passes boolean[], details json,
              credits bigint, "tokenInput" int, "tokenOutput" int, "latencyMs" int, questions jsonb)
        where c.experiment_id = $1 and c.key = x.key and c.repetition = x.repetition and c.arm = x.arm and c.state = 'running'
       returning c.key, c.repetition, c.arm, coalesce(x.questions, '[]') as questions)
     insert into experiment_judgements (experiment_id, key, repetition, arm, scorer, part)
     select $1, r.key, r.repetition, r.arm, q.scorer, q.part
       from recorded r, jsonb_to_recordset(r.questions) as q(scorer smallint, part smallint)`,
    [id, toJsonb(cells)],
  );
}
