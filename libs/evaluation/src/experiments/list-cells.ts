import type { CellState, ExperimentCell } from '@lensforge/contracts';
import {
  type Context,
  type Page,
  type PageRequest,
  badInput,
  decodeKey,
  encodeKey,
  foreignCursor,
  toPage,
} from '@lensforge/core';
import { readEndedRuns } from '@lensforge/runs';
import { isIn } from '../access.js';
import { readableExperiment } from './experiment-access.js';
import type { StoredExperiment } from './experiment.entity.js';
import type { ScoreDetails } from './score-details.js';

export interface CellFilter {
  experimentId: string;
  arm?: string | undefined;
  key?: string | undefined;
  only?: 'failed' | 'worse' | 'better' | undefined;
  scorer?: string | undefined;
}

interface CellRow {
  key: string;
  repetition: number;
  arm: number;
  state: CellState;
  runId: string | null;
  error: string | null;
  scores: (number | null)[] | null;
  passes: boolean[] | null;
  details: ScoreDetails[] | null;
  credits: number | null;
  latencyMs: number | null;
  params: Record<string, unknown>;
  expected: unknown;
}

/** Lists the cells of an experiment by case, repetition and arm. */
export async function listCells(ctx: Context, filter: CellFilter, page: PageRequest): Promise<Page<ExperimentCell>> {
  const experiment = await readableExperiment(ctx, filter.experimentId);
  const rows = await readRows(ctx, experiment, filter, page);
  const { items, ...rest } = toPage(rows, page, ({ key, repetition, arm }) => encodeKey(`${arm}:${repetition}:${key}`));
  const runs = await readEndedRuns(
    ctx,
    items.flatMap(({ runId }) => (runId === null ? [] : [runId])),
  );
  const byId = new Map(runs.map((run) => [run.runId, run]));
  return {
    ...rest,
    items: items.map((row) => toCell(experiment, row, byId.get(row.runId ?? ''))),
  };
}

async function readRows(
  ctx: Context,
  { id, datasetId, revision, arms, scorers, baseline }: StoredExperiment,
  { arm, key, only, scorer }: CellFilter,
  page: PageRequest,
): Promise<CellRow[]> {
  const after = page.cursor === undefined ? null : decodePlace(page.cursor);
  const parameters: unknown[] = [id, datasetId, revision, page.limit + 1, page.offset ?? 0];
  const bind = (value: unknown): string => `$${parameters.push(value)}`;
  const where = ['c.experiment_id = $1'];
  if (arm !== undefined) where.push(`c.arm = ${bind(indexOf(arms, arm, 'arm'))}`);
  if (key !== undefined) where.push(`c.key = ${bind(key)}`);
  if (after)
    where.push(`(c.key, c.repetition, c.arm) > (${bind(after.key)}, ${bind(after.repetition)}, ${bind(after.arm)})`);
  const at = scorer === undefined ? undefined : bind(indexOf(scorers, scorer, 'scorer') + 1);
  if (only === 'failed') {
    const fails = at === undefined ? 'false = any (c.passes)' : `not c.passes[${at}::int]`;
    where.push(`(c.state = 'failed' or c.state = 'scored' and ${fails})`);
  } else if (only !== undefined) {
    if (baseline === null) throw badInput('only', `${only} needs an experiment with a baseline`);
    const sign = only === 'worse' ? '<' : '>';
    where.push(`${meanOf('c.arm', at)} ${sign} ${meanOf(`${bind(baseline)}::smallint`, at)}`);
  }
  return ctx.db.query<CellRow[]>(
    `select c.key, c.repetition, c.arm, c.state, c.run_id as "runId", c.error, c.scores, c.passes, c.details,
            c.credits::float8 as credits, c.latency_ms as "latencyMs", d.params, d.expected
       from experiment_cells c
       join dataset_cases d on d.dataset_id = $2 and d.key = c.key and ${isIn('d', '$3')}
      where ${where.join(' and ')}
      order by c.key, c.repetition, c.arm limit $4 offset $5`,
    parameters,
  );
}

/** SQL: the mean score of the case of `c` in an arm; 0 for cells without a score. */
function meanOf(arm: string, scorer: string | undefined): string {
  const score =
    scorer === undefined ? '(select avg(coalesce(s, 0)) from unnest(m.scores) s)' : `m.scores[${scorer}::int]`;
  return `(select avg(coalesce(${score}, 0)) from experiment_cells m
            where m.experiment_id = c.experiment_id and m.key = c.key and m.arm = ${arm})`;
}

function indexOf(list: readonly { name: string }[], name: string, member: string): number {
  const index = list.findIndex((each) => each.name === name);
  if (index < 0) throw badInput(member, `must be one of ${list.map((each) => each.name).join(', ')}`);
  return index;
}

function decodePlace(cursor: string): { arm: number; repetition: number; key: string } {
  const [, arm, repetition, key] = /^(\d+):(\d+):(.*)$/s.exec(decodeKey(cursor)) ?? [];
  if (key === undefined) throw foreignCursor();
  return { arm: Number(arm), repetition: Number(repetition), key };
}

function toCell(
  { arms, scorers }: StoredExperiment,
  { arm, scores, passes, details, ...row }: CellRow,
  run: { status: ExperimentCell['runStatus']; output: string | null } | undefined,
): ExperimentCell {
  const { key, repetition, state, runId, error, credits, latencyMs, params, expected } = row;
  return {
    key,
    arm: arms[arm]?.name ?? '',
    repetition,
    state,
    runId,
    runStatus: run?.status ?? null,
    output: run?.output ?? null,
    error,
    scores: (scores ?? []).map((score, index) => ({
      scorer: scorers[index]?.name ?? '',
      score: score ?? 0,
      pass: passes?.[index] ?? false,
      reason: details?.[index]?.reason ?? '',
      error: details?.[index]?.error ?? null,
      assertions: details?.[index]?.assertions ?? [],
      judge: details?.[index]?.judge ?? null,
    })),
    credits,
    latencyMs,
    params,
    expected,
  };
}

/** All cells that a filter finds, read in parts. */
export async function* everyCell(ctx: Context, filter: CellFilter): AsyncGenerator<ExperimentCell> {
  let cursor: string | undefined;
  do {
    const { items, nextCursor } = await listCells(ctx, filter, { limit: 200, cursor });
    yield* items;
    cursor = nextCursor;
  } while (cursor !== undefined);
}
