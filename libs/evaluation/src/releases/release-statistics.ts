import {
  type GroupComparison,
  type GroupScore,
  type MeanEstimate,
  type ReleaseGroup,
  type ReleaseStatistics,
  type ReleaseStatisticsQuery,
  statisticsLimits,
} from '@lensforge/contracts';
import { type Context, badInput } from '@lensforge/core';
import { listLensVersionNames, readableLens } from '@lensforge/lenses';
import { type ReleaseCount, countByRelease } from '@lensforge/runs';
import { listWorkflowVersionNames, readableWorkflow } from '@lensforge/workflows';
import { type CountedScores, countScoresByRelease } from '../scores/count-scores.js';
import { compareMoments, estimateMoments } from '../statistics/moments.js';
import { compareShares } from '../statistics/compare-shares.js';
import { normalQuantile } from '../statistics/distributions.js';
import { estimateShare } from '../statistics/intervals.js';

const weekMs = 7 * 86_400_000;

/** The caller's runs of a lens or workflow by version, label or arm, and whether a group fails more often than others. */
export async function readReleaseStatistics(
  ctx: Context,
  { lensId, workflowId, by, ...range }: ReleaseStatisticsQuery,
): Promise<ReleaseStatistics> {
  if ((lensId === undefined) === (workflowId === undefined)) throw badInput('lensId', 'or workflowId is required');
  if (lensId !== undefined) await readableLens(ctx, lensId);
  if (workflowId !== undefined) await readableWorkflow(ctx, workflowId);
  const to = range.to ?? ctx.now().toISOString();
  const from = range.from ?? new Date(Date.parse(to.toUpperCase()) - weekMs).toISOString();
  if (Date.parse(from.toUpperCase()) >= Date.parse(to.toUpperCase())) throw badInput('to', 'must be later than from');
  const selection = { lensId, workflowId, by, from, to, limit: statisticsLimits.runs };
  const { counts, truncated } = await countByRelease(ctx, selection);
  const ids = counts.flatMap(({ versionId }) => versionId ?? []);
  const names = await (lensId === undefined ? listWorkflowVersionNames : listLensVersionNames)(ctx, ids);
  const scores = await countScoresByRelease(ctx, {
    accountId: ctx.actor.accountId,
    targetId: workflowId ?? lensId ?? '',
    from: new Date(from.toUpperCase()),
    to: new Date(to.toUpperCase()),
    by,
  });
  const scoresOf = (group: ReleaseCount): typeof scores =>
    scores.filter(({ label, versionId }) => label === group.label && versionId === group.versionId);
  const groups = counts.map((count): ReleaseGroup => {
    const reference = counts.find((other) => by !== 'arm' || other.label === count.label);
    return {
      ...toGroup(count),
      version: count.versionId === null ? null : (names.get(count.versionId) ?? null),
      comparison: reference && reference !== count ? compare(count, reference) : null,
      scores: scoresOf(count).map((own) =>
        toGroupScore(
          own,
          reference === count ? undefined : scoresOf(reference ?? count).find(({ name }) => name === own.name),
        ),
      ),
    };
  });
  return { from, to, by, truncated, groups };
}

function toGroup({
  creditsMean,
  creditsDeviation,
  ...count
}: ReleaseCount): Omit<ReleaseGroup, 'version' | 'comparison' | 'scores'> {
  const { succeeded, failed, canceled } = count;
  const runs = succeeded + failed + canceled;
  const half = (normalQuantile(0.975) * creditsDeviation) / Math.sqrt(Math.max(runs, 1));
  const creditsPerRun: MeanEstimate = {
    mean: creditsMean,
    low: Math.max(0, creditsMean - half),
    high: creditsMean + half,
  };
  return { ...count, runs, failures: estimateShare(failed, succeeded + failed), creditsPerRun };
}

const toGroupScore = (own: CountedScores, reference: CountedScores | undefined): GroupScore => ({
  name: own.name,
  scores: own.count,
  errors: own.errors,
  mean: estimateMoments(own),
  comparison: reference ? compareMoments(own, reference) : null,
});

const compare = (count: ReleaseCount, reference: ReleaseCount): GroupComparison =>
  compareShares(toShare(count), toShare(reference));

const toShare = ({ succeeded, failed }: ReleaseCount) => ({ hits: failed, of: succeeded + failed });
