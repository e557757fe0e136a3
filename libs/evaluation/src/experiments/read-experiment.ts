import type { Experiment, ExperimentArmItem, ExperimentItem, GateResult } from '@lensforge/contracts';
import {
  type Context,
  type Page,
  type PageRequest,
  decodeCursor,
  encodeCursor,
  notFound,
  requireScope,
  toPage,
} from '@lensforge/core';
import { readableExperiment } from './experiment-access.js';
import { In } from 'typeorm';
import { StoredExperiment } from './experiment.entity.js';

interface Progress {
  done: number;
  credits: number;
}

/** An experiment of the caller with its progress, and its results after its end. */
export async function readExperiment(ctx: Context, experimentId: string): Promise<Experiment> {
  const stored = await readableExperiment(ctx, experimentId);
  const [progress] = await ctx.db.query<[Progress]>(
    `select count(*) filter (where state in ('scored', 'failed'))::int as done,
            coalesce(sum(credits) filter (where not $2), 0)::float8
            + (select coalesce(sum(credits), 0) from experiment_judgements where experiment_id = $1)::float8 as credits
       from experiment_cells where experiment_id = $1`,
    [stored.id, stored.answersOf !== null],
  );
  return toExperiment(stored, progress, await readBatches(ctx, stored));
}

/** The requests to batch services; null without any. */
async function readBatches(
  { db }: Context,
  { id, completeWithinMs }: StoredExperiment,
): Promise<Experiment['batches']> {
  if (completeWithinMs === null) return null;
  const rows = await db.query<{ state: 'waiting' | 'sent' | 'answered' | 'live'; calls: number }[]>(
    `select case state when 'failed' then 'live' else state end as state, count(*)::int as calls
       from batch_calls where experiment_id = $1 group by 1`,
    [id],
  );
  const counts = Object.fromEntries(rows.map(({ state, calls }) => [state, calls]));
  return {
    completeWithinSeconds: Number(completeWithinMs) / 1000,
    waiting: counts['waiting'] ?? 0,
    sent: counts['sent'] ?? 0,
    answered: counts['answered'] ?? 0,
    live: counts['live'] ?? 0,
  };
}

function toExperiment(
  stored: StoredExperiment,
  { done, credits }: Progress,
  batches: Experiment['batches'],
): Experiment {
  const { id, name, status, reason, lensId, workflowId, datasetId, revision, tag, arms, scorers, repetitions, cases } =
    stored;
  const { baseline, budget, calls, answersOf, gate, outcome, results, tags, createdAt, completedAt } = stored;
  return {
    id,
    name,
    status,
    reason,
    lensId,
    workflowId,
    datasetId,
    revision,
    tag,
    arms: arms.map(({ sampling: _, ...arm }) => arm),
    baseline: baseline === null ? null : (arms[baseline]?.name ?? null),
    scorers,
    repetitions,
    cases,
    cells: cases * arms.length * repetitions,
    cellsDone: done,
    budget: budget === null ? null : Number(budget),
    credits,
    cache: calls?.mode ?? 'off',
    recordingId: calls && calls.mode !== 'read' ? calls.recordingId : null,
    service: batches ? 'batch' : 'live',
    batches,
    answersOf,
    gate,
    outcome,
    results,
    tags,
    createdAt: createdAt.toISOString(),
    completedAt: completedAt?.toISOString() ?? null,
  };
}

const itemColumns = `
  e.id, e.name, e.status, e.lens_id as "lensId", e.workflow_id as "workflowId", e.dataset_id as "datasetId",
  e.cases * jsonb_array_length(e.arms) * e.repetitions as cells,
  (select count(*)::int from experiment_cells c where c.experiment_id = e.id and c.state in ('scored', 'failed')) as "cellsDone",
  e.outcome ->> 'result' as "gateResult", iso(e.created_at) as "createdAt", iso(e.completed_at) as "completedAt"`;

type ItemRow = Omit<ExperimentItem, 'arms'>;

/** One rule that fails, or that is not decided, is the result for an arm. */
const worstFirst = ['failed', 'inconclusive', 'passed'] as const satisfies readonly GateResult[];

export interface ExperimentFilter {
  lensId?: string | undefined;
  workflowId?: string | undefined;
  datasetId?: string | undefined;
}

/** Lists the experiments of the caller, the newest first. */
export async function listExperiments(
  ctx: Context,
  { lensId, workflowId, datasetId, ...page }: ExperimentFilter & PageRequest,
): Promise<Page<ExperimentItem>> {
  requireScope(ctx, 'lenses:read');
  const rows = await ctx.db.query<ItemRow[]>(
    `select ${itemColumns} from experiments e
      where e.account_id = $1 and ($2::uuid is null or e.id < $2) and ($3::uuid is null or e.lens_id = $3)
        and ($4::uuid is null or e.workflow_id = $4) and ($5::uuid is null or e.dataset_id = $5)
      order by e.id desc limit $6 offset $7`,
    [
      ctx.actor.accountId,
      page.cursor === undefined ? null : decodeCursor(page.cursor).id,
      lensId ?? null,
      workflowId ?? null,
      datasetId ?? null,
      page.limit + 1,
      page.offset ?? 0,
    ],
  );
  const { items, ...rest } = toPage(rows, page, ({ id, createdAt: at }) => encodeCursor({ at, id }));
  return { items: await withArms(ctx, items), ...rest };
}

/** The experiment as lists show it. The caller checks access. */
export async function readExperimentItem(ctx: Context, id: string): Promise<ExperimentItem> {
  const rows = await ctx.db.query<ItemRow[]>(`select ${itemColumns} from experiments e where e.id = $1`, [id]);
  const [found] = await withArms(ctx, rows);
  if (!found) throw notFound('experiment', id);
  return found;
}

/** Adds the arms, whose texts only their columns can read. */
async function withArms({ db }: Context, rows: readonly ItemRow[]): Promise<ExperimentItem[]> {
  const found = await db.find(StoredExperiment, {
    select: { id: true, arms: true, baseline: true, outcome: true, results: true },
    where: { id: In(rows.map(({ id }) => id)) },
  });
  const byId = new Map(found.map((stored) => [stored.id, toArmItems(stored)]));
  return rows.map((row) => ({ ...row, arms: byId.get(row.id) ?? [] }));
}

type Compared = Pick<StoredExperiment, 'arms' | 'baseline' | 'outcome' | 'results'>;

const toArmItems = ({ arms, baseline, outcome, results }: Compared): ExperimentArmItem[] =>
  arms.map(({ sampling: _, ...arm }, index) => {
    const decided = outcome?.rules.filter((rule) => rule.arm === arm.name) ?? [];
    const scorers = results?.find((result) => result.arm === arm.name)?.scorers ?? [];
    return {
      ...arm,
      isBaseline: index === baseline,
      gateResult: worstFirst.find((result) => decided.some((rule) => rule.result === result)) ?? null,
      scores: scorers.map(({ scorer, score, passRate }) => ({ scorer, mean: score.mean, passRate })),
    };
  });
