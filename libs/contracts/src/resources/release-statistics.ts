import { defineEndpoints } from '../catalogue/endpoint.js';
import { dateTime, decimal, flag, integer, list, nested, oneOf, text, uuid } from '../schema/field.js';
import { nestedKind } from '../schema/kinds.js';
import { statisticsLimits } from './run-statistics.js';
import { runReadScopes } from './runs.js';
import { ScoreComparison } from './score-comparison.js';

export const releaseGroupings = ['version', 'label', 'arm'] as const;
export type ReleaseGrouping = (typeof releaseGroupings)[number];

/** How the failures of two groups compare. */
export const comparisonResults = ['more', 'fewer', 'alike', 'too_few_runs'] as const;
export type ComparisonResult = (typeof comparisonResults)[number];

export class ReleaseStatisticsQuery {
  @uuid({ optional: true, description: 'The lens whose runs are counted.' })
  lensId?: string;

  @uuid({ optional: true, description: 'The workflow whose runs are counted, when no lens is given.' })
  workflowId?: string;

  @oneOf(releaseGroupings, {
    description: 'version: all runs of a version. label: the runs of a label. arm: the runs of a label by version.',
  })
  by: ReleaseGrouping = 'version';

  @dateTime({ optional: true, description: 'Runs accepted at or after this time; seven days ago when absent.' })
  from?: string;

  @dateTime({ optional: true, description: 'Runs accepted before this time; now when absent.' })
  to?: string;
}

/** A mean with the interval that covers the true one in 95 of 100 cases. */
export class MeanEstimate {
  @decimal()
  mean!: number;

  @decimal()
  low!: number;

  @decimal()
  high!: number;
}

export class GroupComparison {
  @decimal({ description: 'The share of failures of this group minus that of the reference.' })
  difference!: number;

  @decimal()
  low!: number;

  @decimal()
  high!: number;

  @oneOf(comparisonResults, {
    description: 'How its failures compare with those of the reference; too_few_runs: too few runs to say.',
  })
  result!: ComparisonResult;
}

/** The scores of the runs of a group. */
export class GroupScore {
  @text({ description: 'The name of the score.' })
  name!: string;

  @integer({ min: 0 })
  scores!: number;

  @integer({ min: 0, description: 'Scores that could not be made; the mean leaves them out.' })
  errors!: number;

  @nested(() => MeanEstimate)
  mean!: MeanEstimate;

  @nested(() => ScoreComparison, { nullable: true, description: 'Against the same score of the reference.' })
  comparison!: ScoreComparison | null;
}

/** The runs of a version, label or arm that have ended. */
export class ReleaseGroup {
  @text({ nullable: true, description: 'The label that decided about the version; null without one.' })
  label!: string | null;

  @uuid({ nullable: true })
  versionId!: string | null;

  @text({ nullable: true, description: 'The number of the version; null when grouped by label.' })
  version!: string | null;

  @integer({ min: 0, description: 'The runs that have ended.' })
  runs!: number;

  @integer({ min: 0 })
  succeeded!: number;

  @integer({ min: 0, description: 'The runs that failed or timed out.' })
  failed!: number;

  @integer({ min: 0, description: 'They do not count as failures.' })
  canceled!: number;

  @nested(() => MeanEstimate, { description: 'The share of failures among the runs that were not canceled.' })
  failures!: MeanEstimate;

  @decimal({ min: 0, nullable: true })
  p50Ms!: number | null;

  @decimal({ min: 0, nullable: true })
  p95Ms!: number | null;

  @integer({ min: 0 })
  tokenInput!: number;

  @integer({ min: 0 })
  tokenOutput!: number;

  @integer({ min: 0 })
  credits!: number;

  @nested(() => MeanEstimate, { description: 'The credits of a run.' })
  creditsPerRun!: MeanEstimate;

  @nested(() => GroupComparison, {
    nullable: true,
    description: 'Its failures against those of the reference: the group of its label, or of all, with the most runs.',
  })
  comparison!: GroupComparison | null;

  @list(nestedKind(() => GroupScore))
  scores!: GroupScore[];
}

export class ReleaseStatistics {
  @dateTime()
  from!: string;

  @dateTime()
  to!: string;

  @oneOf(releaseGroupings)
  by!: ReleaseGrouping;

  @flag({ description: 'More runs match than are counted; the oldest of them are left out.' })
  truncated!: boolean;

  @list(nestedKind(() => ReleaseGroup), { description: 'The group with the most runs first.' })
  groups!: ReleaseGroup[];
}

export const releaseStatisticsEndpoints = defineEndpoints({
  getReleaseStatistics: {
    route: 'GET /v1/release-statistics',
    summary: "Compares the caller's runs of a lens or workflow by version, label or arm",
    description: `Failures, times, tokens, credits and scores of each group, with intervals, and whether a group fails more often than the largest one. Runs of experiments are left out. The newest ${statisticsLimits.runs.toLocaleString('en')} runs of the range are counted.`,
    query: ReleaseStatisticsQuery,
    reply: ReleaseStatistics,
    scopes: runReadScopes,
    rate: 'expensive',
  },
});
