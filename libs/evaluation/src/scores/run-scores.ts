import { type RunScore, type Thumb } from '@lensforge/contracts';
import {
  type Context,
  type CountedPage,
  DomainError,
  type PagePosition,
  badInput,
  countedPage,
  newId,
} from '@lensforge/core';
import { inTransaction, publishEvent } from '@lensforge/database';
import { type RunTarget, readRunTargets, readableRun, writableRun } from '@lensforge/runs';
import { RunScoreRow } from './run-score.entity.js';
import { traceScore } from './trace-score.js';

const mostOfCaller = 50;

/** A score with its run; the error says why there is none. */
export type NewScore = Pick<RunScore, 'name' | 'source' | 'score' | 'reason'> &
  Partial<Pick<RunScoreRow, 'pass' | 'error' | 'judge' | 'ruleId'>>;

export interface GivenScore {
  score?: number | undefined;
  thumb?: Thumb | undefined;
  comment?: string | undefined;
}

/** Lists the scores of a run of the caller, the newest first. */
export async function listRunScores(
  ctx: Context,
  { runId, limit, offset = 0 }: { runId: string } & PagePosition,
): Promise<CountedPage<RunScore>> {
  await readableRun(ctx, runId);
  const [rows, total] = await ctx.db.findAndCount(RunScoreRow, {
    where: { runId },
    order: { createdAt: 'DESC', id: 'DESC' },
    take: limit,
    skip: offset,
  });
  return countedPage(rows.map(toRunScore), { limit, offset, total });
}

/** Gives a run of the caller a score; one with the same name is replaced. */
export async function setRunScore(
  ctx: Context,
  { runId, name, ...given }: { runId: string; name: string } & GivenScore,
): Promise<RunScore> {
  const score = readScore(given);
  const run = await scorableRun(ctx, runId);
  return inTransaction(ctx, async (ctx) => {
    await ctx.db.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`scores of ${runId}`]);
    const own = await ctx.db.findBy(RunScoreRow, { runId, source: 'caller' });
    const before = own.find((each) => each.name === name);
    if (!before && own.length >= mostOfCaller) {
      throw new DomainError('CONFLICT', `A run has at most ${mostOfCaller} scores of its caller`);
    }
    if (before) await ctx.db.delete(RunScoreRow, { runId, id: before.id });
    const stored = { name, source: 'caller', score, reason: given.comment ?? null } as const;
    const [added] = await addScores(ctx, [{ run, score: stored }]);
    return added as RunScore;
  });
}

/** A run of the caller that can have scores. */
export async function scorableRun(ctx: Context, runId: string): Promise<RunTarget> {
  await writableRun(ctx, runId);
  const [run] = await readRunTargets(ctx, [runId]);
  if (!run)
    throw new DomainError(
      'CONFLICT',
      'Only runs of lenses and workflows have scores, and those of battles have their own',
    );
  return run;
}

/** The score that a person or a program gives. */
export function readScore({ score, thumb }: GivenScore): number {
  if ((score === undefined) === (thumb === undefined))
    throw badInput('score', 'or thumb is required, and one of them only');
  return score ?? (thumb === 'up' ? 1 : 0);
}

export interface ScoreOfRun {
  run: RunTarget;
  score: NewScore;
}

/** Stores scores in the current transaction, and tells webhooks of each. */
export async function addScores(ctx: Context, scores: readonly ScoreOfRun[]): Promise<RunScore[]> {
  const rows = scores.map(({ run, score }) => toRow(ctx, run, score));
  await ctx.db.insert(RunScoreRow, rows);
  for (const [at, { run }] of scores.entries()) {
    const { runId, accountId, lensId, workflowId, label } = run;
    const { id: scoreId, name, source, score, pass, error } = rows[at] as RunScoreRow;
    const of = { runId, lensId, workflowId, label };
    await publishEvent(ctx, accountId, 'run.scored', { ...of, scoreId, name, source, score, pass, error });
  }
  for (const row of rows) traceScore(row.runId, row);
  return rows.map(toRunScore);
}

function toRow(ctx: Context, run: RunTarget, score: NewScore): RunScoreRow {
  const { lensId, workflowId, ...of } = run;
  const targetId = workflowId ?? lensId ?? '';
  return {
    id: newId(),
    ...of,
    targetId,
    createdAt: ctx.now(),
    pass: null,
    error: null,
    judge: null,
    ruleId: null,
    ...score,
  };
}

export const toRunScore = ({
  id,
  runId,
  name,
  source,
  score,
  pass,
  reason,
  error,
  judge,
  createdAt,
}: RunScoreRow): RunScore => ({
  id,
  runId,
  name,
  source,
  score,
  pass,
  reason,
  error,
  judge,
  createdAt: createdAt.toISOString(),
});
