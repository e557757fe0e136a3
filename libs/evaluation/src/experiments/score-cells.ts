import type { Scorer } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { toJsonb } from '@lensforge/database';
import { type EndedRun, readEndedRuns } from '@lensforge/runs';
import { isIn } from '../access.js';
import type { Assertion } from '../checks/assertion.js';
import type { CheckScore } from '../checks/check-output.js';
import type { CheckTask } from '../checks/check-tasks.js';
import { checkInSandbox } from '../checks/check-in-sandbox.js';
import type { StoredExperiment } from './experiment.entity.js';

interface RunningCell {
  key: string;
  repetition: number;
  arm: number;
  runId: string;
  params: Record<string, unknown>;
  metadata: Record<string, unknown> | null;
  expected: unknown;
  assertions: Assertion[];
}

export interface EndedCells {
  cells: Ended[];
  /** The number of cells whose runs have not ended. */
  running: number;
}

interface Ended {
  cell: RunningCell;
  run: EndedRun;
}

/** The cells whose runs have ended since they were looked at last. */
export async function findEnded(ctx: Context, experiment: StoredExperiment): Promise<EndedCells> {
  const running = await readRunning(ctx, experiment);
  const runIds = running.map(({ runId }) => runId);
  const ended = new Map((await readEndedRuns(ctx, runIds)).map((run) => [run.runId, run]));
  const cells = running.flatMap((cell) => {
    const run = ended.get(cell.runId);
    return run ? [{ cell, run }] : [];
  });
  return { cells, running: running.length - cells.length };
}

/** Scores the outputs of cells, each once. */
export async function scoreCells(ctx: Context, experiment: StoredExperiment, cells: readonly Ended[]): Promise<void> {
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
        state: 'scored',
        scores: own.map(({ score }) => score),
        passes: own.map(({ pass }) => pass),
        details: own.map(({ reason, assertions }) => ({ reason, assertions })),
      };
    }),
  );
}

const readRunning = ({ db }: Context, { id, datasetId, revision }: StoredExperiment): Promise<RunningCell[]> =>
  db.query<RunningCell[]>(
    `select c.key, c.repetition, c.arm, c.run_id as "runId", d.params, d.metadata, d.expected, coalesce(d.assertions, '[]') as assertions
       from experiment_cells c
       join dataset_cases d on d.dataset_id = $2 and d.key = c.key and ${isIn('d', '$3')}
      where c.experiment_id = $1 and c.state = 'running'`,
    [id, datasetId, revision],
  );

/** The scores of all scorers for each cell. */
async function scoreAll(
  { scorers, accountId }: StoredExperiment,
  answered: readonly Ended[],
): Promise<Map<RunningCell, CheckScore[]>> {
  const tasks = answered.flatMap(({ cell, run }) => scorers.map((scorer, index) => toTask(scorer, index, cell, run)));
  const scores = await checkInSandbox(tasks, accountId);
  return new Map(
    answered.map(({ cell }, at) => [cell, scores.slice(at * scorers.length, (at + 1) * scorers.length)] as const),
  );
}

/** The assertions of a case count with those of the first scorer. */
function toTask(scorer: Scorer, index: number, cell: RunningCell, { output, latencyMs, credits }: EndedRun): CheckTask {
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
    scores?: number[];
    passes?: boolean[];
    details?: object[];
  };

async function recordScores({ db }: Context, { id }: StoredExperiment, cells: readonly ScoredCell[]): Promise<void> {
  if (cells.length === 0) return;
  await db.query(
    `update experiment_cells c set state = x.state, error = x.error, scores = x.scores, passes = x.passes, details = x.details,
            credits = x.credits, token_input = x."tokenInput", token_output = x."tokenOutput", latency_ms = x."latencyMs"
       from jsonb_to_recordset($2::jsonb) as x(
            key text, repetition smallint, arm smallint, state text, error text, scores real[], passes boolean[], details json,
            credits bigint, "tokenInput" int, "tokenOutput" int, "latencyMs" int)
      where c.experiment_id = $1 and c.key = x.key and c.repetition = x.repetition and c.arm = x.arm and c.state = 'running'`,
    [id, toJsonb(cells)],
  );
}
