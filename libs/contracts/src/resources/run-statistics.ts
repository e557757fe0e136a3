import { defineEndpoints } from '../catalogue/endpoint.js';
import { dateTime, decimal, flag, integer, list, nested, oneOf, text, uuid } from '../schema/field.js';
import { nestedKind, textKind } from '../schema/kinds.js';
import { type RunKind, runKinds, runReadScopes } from './runs.js';
import { TokenDetails } from './token-details.js';

export const statisticsIntervals = ['minute', 'hour', 'day'] as const;
export type StatisticsInterval = (typeof statisticsIntervals)[number];

/** The most buckets of an answer, and the most runs that it counts. */
export const statisticsLimits = { buckets: 1500, runs: 100_000 } as const;

export class StatisticsRange {
  @dateTime({ description: 'The beginning; it is moved to the start of its bucket.' })
  from!: string;

  @dateTime({ optional: true, description: 'The end; now when absent.' })
  to?: string;

  @oneOf(statisticsIntervals, {
    description: `The length of a bucket. Days begin at midnight UTC. A range has at most ${statisticsLimits.buckets} buckets.`,
  })
  interval: StatisticsInterval = 'hour';
}

export class RunStatisticsQuery extends StatisticsRange {
  @oneOf(runKinds, { optional: true })
  kind?: RunKind;

  @uuid({ optional: true, description: 'Runs of this lens.' })
  lensId?: string;

  @uuid({ optional: true, description: 'Runs of this workflow.' })
  workflowId?: string;

  @list(textKind({ min: 1, max: 100 }), {
    min: 1,
    max: 20,
    optional: true,
    description: 'Runs that have all of these tags.',
  })
  tag?: string[];
}

/** The runs that were accepted within an interval. */
export class RunBucket {
  @dateTime({ description: 'The beginning of the bucket.' })
  at!: string;

  @integer({ min: 0 })
  queued!: number;

  @integer({ min: 0 })
  running!: number;

  @integer({ min: 0 })
  succeeded!: number;

  @integer({ min: 0 })
  failed!: number;

  @integer({ min: 0 })
  canceled!: number;

  @integer({ min: 0 })
  timedOut!: number;

  @decimal({ min: 0, nullable: true, description: 'The median time from start to end, of the runs that have ended.' })
  p50Ms!: number | null;

  @decimal({ min: 0, nullable: true, description: 'The time that 95 % of them stay below.' })
  p95Ms!: number | null;

  @integer({ min: 0, description: 'The credits that they cost so far.' })
  credits!: number;

  @integer({ min: 0 })
  tokenInput!: number;

  @integer({ min: 0 })
  tokenOutput!: number;

  @nested(() => TokenDetails, { description: 'The tokens by kind, as far as providers report them.' })
  tokenDetails!: TokenDetails;
}

export class RunStatistics {
  @dateTime()
  from!: string;

  @dateTime()
  to!: string;

  @text({ description: 'The length of a bucket: minute, hour or day.' })
  interval!: StatisticsInterval;

  @flag({ description: 'More runs match than are counted; the oldest of them are left out.' })
  truncated!: boolean;

  @list(nestedKind(() => RunBucket), {
    description: 'One for each interval, the oldest first; also those without runs.',
  })
  buckets!: RunBucket[];
}

export const runStatisticsEndpoints = defineEndpoints({
  getRunStatistics: {
    route: 'GET /v1/run-statistics',
    summary: "Counts the caller's runs by status over time, with their times and credits",
    description: `A run belongs to the bucket in which it was accepted, with its present status. The newest ${statisticsLimits.runs.toLocaleString('en')} runs of the range are counted, of the kinds that the scopes of the caller can read.`,
    query: RunStatisticsQuery,
    reply: RunStatistics,
    scopes: runReadScopes,
    rate: 'expensive',
  },
});
