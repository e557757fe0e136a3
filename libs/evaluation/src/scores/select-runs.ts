import type { RunSelection } from '@lensforge/contracts';
import { type Context, badInput } from '@lensforge/core';
import { readableLens } from '@lensforge/lenses';
import { listEndedRuns } from '@lensforge/runs';
import { readableWorkflow } from '@lensforge/workflows';
import { readableExperiment } from '../experiments/experiment-access.js';
import type { StoredExperiment } from '../experiments/experiment.entity.js';

const usualMs = 28 * 86_400_000;
const usualLimit = 100;
const usualDifference = 0.5;
/** The most runs whose scores fit that are looked at. */
const mostScored = 20_000;

/** The ids of the caller's runs that fit, the newest first. */
export async function selectRuns(ctx: Context, selection: RunSelection): Promise<string[]> {
  const { lensId, workflowId, experimentId, score, limit = usualLimit } = selection;
  if ([lensId, workflowId, experimentId].filter((id) => id !== undefined).length !== 1) {
    throw badInput('filter.lensId', 'or workflowId or experimentId is required, and one of them only');
  }
  if (score && score.min === undefined && score.max === undefined) throw badInput('filter.score', 'needs min or max');
  if (experimentId !== undefined) return selectCells(ctx, await readableExperiment(ctx, experimentId), selection);
  if (lensId !== undefined) await readableLens(ctx, lensId);
  if (workflowId !== undefined) await readableWorkflow(ctx, workflowId);
  const to = selection.to === undefined ? ctx.now() : new Date(selection.to.toUpperCase());
  const from = selection.from === undefined ? new Date(to.getTime() - usualMs) : new Date(selection.from.toUpperCase());
  if (from >= to) throw badInput('filter.to', 'must be later than from');
  const of = { accountId: ctx.actor.accountId, targetId: workflowId ?? lensId ?? '', from, to };
  const statuses = selection.status && ([...statusesOf[selection.status]] as const);
  const among = await selectScored(ctx, of, selection);
  const runs = await listEndedRuns(ctx, { ...of, limit, label: selection.label, statuses, among });
  return runs.map(({ runId }) => runId);
}

const statusesOf = { succeeded: ['succeeded'], failed: ['failed', 'timed_out'] } as const;

/** The runs whose scores fit; undefined without such a condition. */
async function selectScored(
  { db }: Context,
  { accountId, targetId, from, to }: { accountId: string; targetId: string; from: Date; to: Date },
  { score, differ }: RunSelection,
): Promise<string[] | undefined> {
  if (!score && !differ) return undefined;
  const rows = await db.query<{ id: string }[]>(
    `select distinct s.run_id as id from run_scores s
       ${differ ? 'join run_scores o on o.run_id = s.run_id and o.name = $8 and abs(o.score - s.score) >= $9' : ''}
      where s.account_id = $1 and s.target_id = $2 and s.created_at >= $3 and s.run_id < first_id_of($4)
        and ($5::text is null or exists (select from run_scores c where c.run_id = s.run_id and c.name = $5
                                            and c.score between $6 and $7))
        ${differ ? 'and s.name = $10' : 'and s.name = $5'}
      order by id desc limit ${mostScored}`,
    [
      ...[accountId, targetId, from, to, score?.name ?? null, score?.min ?? 0, score?.max ?? 1],
      ...(differ ? [differ.second, differ.by ?? usualDifference, differ.first] : []),
    ],
  );
  return rows.map(({ id }) => id);
}

/** The runs of the cells of an experiment that fit. */
async function selectCells(
  { db }: Context,
  { id, scorers }: StoredExperiment,
  { status, score, differ, label, limit = usualLimit }: RunSelection,
): Promise<string[]> {
  if (label !== undefined) throw badInput('filter.label', 'is not used with experimentId: its runs have no label');
  const indexOf = (name: string, path: string): number => {
    const at = scorers.findIndex((scorer) => scorer.name === name);
    if (at < 0)
      throw badInput(path, `names no scorer of the experiment: ${scorers.map((each) => each.name).join(', ')}`);
    return at + 1;
  };
  const conditions: string[] = [];
  const values: unknown[] = [id, limit];
  const add = (value: unknown, type: string): string => `$${values.push(value)}::${type}`;
  if (status) conditions.push(`state = ${status === 'failed' ? `'failed'` : `'scored'`}`);
  if (score) {
    const at = add(indexOf(score.name, 'filter.score.name'), 'int');
    conditions.push(`scores[${at}] between ${add(score.min ?? 0, 'float8')} and ${add(score.max ?? 1, 'float8')}`);
  }
  if (differ) {
    const [one, other] = [
      add(indexOf(differ.first, 'filter.differ.first'), 'int'),
      add(indexOf(differ.second, 'filter.differ.second'), 'int'),
    ];
    conditions.push(`abs(scores[${one}] - scores[${other}]) >= ${add(differ.by ?? usualDifference, 'float8')}`);
  }
  const rows = await db.query<{ id: string }[]>(
    `select run_id as id from experiment_cells
      where experiment_id = $1 and run_id is not null and state in ('scored', 'failed')
        ${conditions.map((each) => `and ${each}`).join(' ')}
      order by key, repetition, arm limit $2`,
    values,
  );
  return rows.map((row) => row.id);
}
