import type { ScoreSeries, ScoreStatistics, ScoreStatisticsQuery } from '@lensforge/contracts';
import { type Context, badInput, groupBy } from '@lensforge/core';
import { readableLens } from '@lensforge/lenses';
import { toRange } from '@lensforge/runs';
import { readableWorkflow } from '@lensforge/workflows';
import { type Moments, addMoments, compareMoments, estimateMoments, noMoments } from '../statistics/moments.js';
import { countScoresByTime } from './count-scores.js';

const usualMs = 28 * 86_400_000;
/** The part of the range whose scores are compared with those before. */
const recent = 0.25;

/** The scores of the caller's runs of a lens or workflow over time, and whether they have drifted. */
export async function readScoreStatistics(ctx: Context, query: ScoreStatisticsQuery): Promise<ScoreStatistics> {
  const { lensId, workflowId, label = null, name = null, interval } = query;
  if ((lensId === undefined) === (workflowId === undefined)) throw badInput('lensId', 'or workflowId is required');
  if (lensId !== undefined) await readableLens(ctx, lensId);
  if (workflowId !== undefined) await readableWorkflow(ctx, workflowId);
  const to = query.to ?? ctx.now().toISOString();
  const start = query.from ?? new Date(Date.parse(to.toUpperCase()) - usualMs).toISOString();
  const range = toRange({ from: start, to, interval });
  const ms = range.length;
  const of = { accountId: ctx.actor.accountId, targetId: workflowId ?? lensId ?? '', label, name, ms };
  const { counts, truncated } = await countScoresByTime(ctx, { ...of, from: range.from, to: range.to });
  const total = Math.ceil((range.to.getTime() - range.from.getTime()) / ms);
  const boundary = Math.floor(total * (1 - recent));
  const series = [...groupBy(counts, (each) => each.name)].map(([name, parts]): ScoreSeries => {
    const sumOf = (some: readonly Moments[]): Moments => some.reduce(addMoments, noMoments);
    const all = sumOf(parts);
    return {
      name,
      scores: all.count,
      errors: parts.reduce((sum, { errors }) => sum + errors, 0),
      mean: estimateMoments(all),
      drift: compareMoments(
        sumOf(parts.filter(({ number }) => number >= boundary)),
        sumOf(parts.filter(({ number }) => number < boundary)),
      ),
      buckets: parts
        .filter(({ count }) => count > 0)
        .map(({ number, ...part }) => ({
          at: new Date(range.from.getTime() + number * ms).toISOString(),
          scores: part.count,
          mean: estimateMoments(part),
        })),
    };
  });
  return { from: range.from.toISOString(), to: range.to.toISOString(), interval, truncated, series };
}
