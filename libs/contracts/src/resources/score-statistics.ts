import { defineEndpoints } from '../catalogue/endpoint.js';
import { dateTime, flag, integer, list, nested, oneOf, text, uuid } from '../schema/field.js';
import { nestedKind } from '../schema/kinds.js';
import { MeanEstimate } from './release-statistics.js';
import { type StatisticsInterval, statisticsIntervals, statisticsLimits } from './run-statistics.js';
import { runReadScopes } from './runs.js';
import { ScoreComparison } from './score-comparison.js';

export class ScoreStatisticsQuery {
  @uuid({ optional: true, description: 'The lens whose scores are counted.' })
  lensId?: string;

  @uuid({ optional: true, description: 'The workflow whose scores are counted, when no lens is given.' })
  workflowId?: string;

  @text({ min: 1, max: 60, optional: true, description: 'Only runs of this label.' })
  label?: string;

  @text({ min: 1, max: 100, optional: true, description: 'Only scores with this name.' })
  name?: string;

  @dateTime({ optional: true, description: 'Scores given at or after this time; 28 days ago when absent.' })
  from?: string;

  @dateTime({ optional: true, description: 'Scores given before this time; now when absent.' })
  to?: string;

  @oneOf(statisticsIntervals, {
    description: `The length of a bucket. Days begin at midnight UTC. A range has at most ${statisticsLimits.buckets} buckets.`,
  })
  interval: StatisticsInterval = 'day';
}

/** The scores that were given within an interval. */
export class ScoreBucket {
  @dateTime({ description: 'The beginning of the bucket.' })
  at!: string;

  @integer({ min: 1 })
  scores!: number;

  @nested(() => MeanEstimate)
  mean!: MeanEstimate;
}

export class ScoreSeries {
  @text({ description: 'The name of the score.' })
  name!: string;

  @integer({ min: 0 })
  scores!: number;

  @integer({ min: 0, description: 'Scores that could not be made; means leave them out.' })
  errors!: number;

  @nested(() => MeanEstimate)
  mean!: MeanEstimate;

  @nested(() => ScoreComparison, { description: 'The last quarter of the range against the time before it.' })
  drift!: ScoreComparison;

  @list(nestedKind(() => ScoreBucket), { description: 'Buckets with scores, the oldest first.' })
  buckets!: ScoreBucket[];
}

export class ScoreStatistics {
  @dateTime()
  from!: string;

  @dateTime()
  to!: string;

  @oneOf(statisticsIntervals)
  interval!: StatisticsInterval;

  @flag({ description: 'More scores match than are counted; the oldest of them are left out.' })
  truncated!: boolean;

  @list(nestedKind(() => ScoreSeries))
  series!: ScoreSeries[];
}

export const scoreStatisticsEndpoints = defineEndpoints({
  getScoreStatistics: {
    route: 'GET /v1/score-statistics',
    summary: 'Shows the scores of the runs of a lens or workflow over time',
    description: `The mean of each score with its interval, over time and in all, and whether it has drifted. Runs of experiments are left out. The newest ${statisticsLimits.runs.toLocaleString('en')} scores of the range are counted.`,
    query: ScoreStatisticsQuery,
    reply: ScoreStatistics,
    scopes: runReadScopes,
    rate: 'expensive',
  },
});
