import { defineEndpoints } from '../catalogue/endpoint.js';
import { dateTime, decimal, flag, integer, list, nested, oneOf, record, text, uuid } from '../schema/field.js';
import { listKind, nestedKind, uuidKind } from '../schema/kinds.js';
import { CountedPageQuery } from '../schema/paging.js';
import { type BattleType, battleTypes, maxSlots } from './battles.js';

export const leaderboardSources = ['votes', 'judges', 'all'] as const;
export type LeaderboardSource = (typeof leaderboardSources)[number];

export const leaderboardCovariates = ['none', 'style'] as const;
export type LeaderboardCovariates = (typeof leaderboardCovariates)[number];

export const ratedKinds = ['lens', 'workflow', 'lenser'] as const;
export type RatedKind = (typeof ratedKinds)[number];

export class LeaderboardPath {
  @oneOf(battleTypes)
  battleType!: BattleType;
}

const source = {
  description: 'votes: votes of lensers; judges: the ranking by judge score of each battle, as one vote; all: both.',
} as const;
const covariates = {
  description: 'style: fits length and format of the answers with the strengths, which then compare equal style.',
} as const;

export class LeaderboardQuery extends CountedPageQuery {
  @oneOf(leaderboardSources, source)
  source: LeaderboardSource = 'votes';

  @oneOf(leaderboardCovariates, covariates)
  covariates: LeaderboardCovariates = 'none';
}

export class LeaderboardFitQuery {
  @oneOf(leaderboardSources, source)
  source: LeaderboardSource = 'votes';

  @oneOf(leaderboardCovariates, covariates)
  covariates: LeaderboardCovariates = 'none';
}

export class RatingInterval {
  @decimal()
  low!: number;

  @decimal()
  high!: number;
}

export class RankRange {
  @integer({ min: 1 })
  best!: number;

  @integer({ min: 1 })
  worst!: number;
}

export class LeaderboardEntry {
  @uuid({ description: 'The lens or workflow that wrote the answers; for contenders without one, the lenser.' })
  contender!: string;

  @oneOf(ratedKinds)
  kind!: RatedKind;

  @text({ description: 'The display name in the newest published battle.' })
  displayName!: string;

  @integer({ min: 1, description: 'Contenders that votes connect; 1 is the largest. Compare within a component only.' })
  component!: number;

  @integer({ min: 1, description: 'The place in the component; equal strengths share it.' })
  rank!: number;

  @nested(() => RankRange, { description: 'The places that the 95 % intervals leave open.' })
  ranks!: RankRange;

  @decimal({ description: 'A contender that is stronger by d wins exp(d) times as often as it loses.' })
  strength!: number;

  @nested(() => RatingInterval, { description: 'The 95 % interval of the strength.' })
  interval!: RatingInterval;

  @decimal({ description: 'The strength on the scale of chess ratings.' })
  elo!: number;

  @nested(() => RatingInterval)
  eloInterval!: RatingInterval;

  @integer({ min: 0, description: 'The votes that compare this contender with another.' })
  votes!: number;

  @integer({ min: 0, description: 'Other contenders that votes placed below this one, once for each vote.' })
  wins!: number;

  @integer({ min: 0 })
  ties!: number;

  @integer({ min: 0 })
  losses!: number;
}

export class FitParameters {
  @decimal({
    min: 0,
    description: 'The weight of the prior on strengths and effects; there is none on the tie parameter.',
  })
  ridge!: number;

  @decimal({ min: 0, nullable: true, description: "Davidson's tie parameter; null when all votes are ties." })
  tie!: number | null;

  @integer({ min: 0 })
  iterations!: number;

  @flag()
  converged!: boolean;

  @integer({ min: 0 })
  votes!: number;

  @integer({ min: 0 })
  bootstraps!: number;

  @integer({ description: 'The seed of the bootstraps.' })
  seed!: number;
}

export class CovariateEffect {
  @text()
  covariate!: string;

  @decimal({ description: 'The change of log odds for one unit.' })
  effect!: number;

  @nested(() => RatingInterval)
  interval!: RatingInterval;
}

export class LeaderboardComponent {
  @integer({ min: 1 })
  component!: number;

  @integer({ min: 1 })
  contenders!: number;

  @integer({ min: 0 })
  votes!: number;
}

export class RemovedVotes {
  @list(listKind(uuidKind(), { max: maxSlots }), { max: maxSlots })
  ranking!: string[][];

  @list(uuidKind(), { max: maxSlots })
  contenders!: string[];

  @integer({ min: 1 })
  count!: number;
}

export class LeaderboardFragility {
  @list(uuidKind(), { description: 'First place of the largest component; several contenders when they share it.' })
  first!: string[];

  @integer({
    min: 1,
    nullable: true,
    description: 'Removing this many votes is enough to change first place; null when no such removal was found.',
  })
  votes!: number | null;

  @list(uuidKind(), { description: 'First place after the removal.' })
  firstAfter!: string[];

  @list(nestedKind(() => RemovedVotes), { description: 'The removed votes; at most 100 kinds of them.' })
  removed!: RemovedVotes[];

  @text({ description: 'The meaning of these numbers.' })
  statement!: string;
}

export class LeaderboardFit {
  @oneOf(battleTypes)
  battleType!: BattleType;

  @oneOf(leaderboardSources)
  source!: LeaderboardSource;

  @oneOf(leaderboardCovariates)
  covariates!: LeaderboardCovariates;

  @dateTime()
  fittedAt!: string;

  @integer({ min: 0 })
  contenders!: number;

  @nested(() => FitParameters)
  fit!: FitParameters;

  @list(nestedKind(() => CovariateEffect))
  effects!: CovariateEffect[];

  @integer({ min: 0 })
  componentCount!: number;

  @list(nestedKind(() => LeaderboardComponent), { description: 'The 100 largest.' })
  components!: LeaderboardComponent[];

  @nested(() => LeaderboardFragility)
  fragility!: LeaderboardFragility;
}

/** A line of the vote log. Voters, their order and the time of day are left out. */
export class LoggedVote {
  @uuid()
  battle!: string;

  @list(uuidKind(), { min: 2, max: maxSlots })
  contenders!: string[];

  @list(listKind(uuidKind(), { max: maxSlots }), {
    max: maxSlots,
    description: 'The places from best to worst; ids that share a place are a tie. Contenders left out are below them.',
  })
  ranking!: string[][];

  @dateTime({ description: 'The day of the vote, in UTC.' })
  at!: string;

  @record({ optional: true, description: 'With covariates=style: length and format of each contender.' })
  covariates?: Record<string, Record<string, number>>;
}

export const leaderboardEndpoints = defineEndpoints({
  listLeaderboard: {
    route: 'GET /v1/leaderboards/{battleType}',
    summary: 'Lists the rated contenders of published battles, by component and rank',
    description:
      'Ratings are computed from published battles of the type, either from votes or from verdicts of judges. Contenders that were never compared, also indirectly, are in separate components.',
    params: LeaderboardPath,
    query: LeaderboardQuery,
    reply: LeaderboardEntry,
    scopes: ['community:read'],
    audience: 'public',
    rate: 'list',
    replies: 'list',
    unknownIs400: true,
  },
  getLeaderboardFit: {
    route: 'GET /v1/leaderboards/{battleType}/fit',
    summary: 'Reads how a leaderboard was computed, and how fragile its first place is',
    description:
      'Describes the model of the ratings, its convergence, the number of comparisons, and how few votes would have to be left out to change the first place.',
    params: LeaderboardPath,
    query: LeaderboardFitQuery,
    reply: LeaderboardFit,
    scopes: ['community:read'],
    audience: 'public',
    rate: 'read',
  },
  downloadVotes: {
    route: 'GET /v1/leaderboards/{battleType}/votes',
    summary: 'Downloads the anonymous votes from which a leaderboard is computed, one JSON object a line',
    description:
      'Sends application/x-ndjson: one anonymous comparison in each line, with which the leaderboard can be computed again. The lines name no voter.',
    params: LeaderboardPath,
    query: LeaderboardFitQuery,
    reply: LoggedVote,
    scopes: ['community:read'],
    audience: 'public',
    rate: 'expensive',
    replies: 'lines',
    unknownIs400: true,
  },
});
