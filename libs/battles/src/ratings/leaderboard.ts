import {
  bootstrapRatings,
  type BootstrapOptions,
  type IntervalEffect,
  type IntervalRating,
} from './bootstrap-ratings.js';
import { countPairs, type Vote } from './count-pairs.js';
import { type Ratings } from './fit-ratings.js';
import { fragilityOf, type Fragility } from './fragility.js';

export type LeaderboardOptions = BootstrapOptions & {
  /** Votes of people, verdicts of judges, or both together; votes by default. */
  source?: 'votes' | 'verdicts' | 'both';
  /** Covariates to fit with the strengths, such as `length` and `format`; none by default. */
  covariates?: readonly string[];
};

export type Leaderboard = Ratings<IntervalRating, IntervalEffect> & {
  source: NonNullable<LeaderboardOptions['source']>;
  fragility: Omit<Fragility, 'fit'>;
};

/** The leaderboard of one battle type: ratings with intervals, effects of covariates, and fragility. */
export function leaderboardOf(
  { votes, verdicts }: { votes: Iterable<Vote>; verdicts: Iterable<Vote> },
  { source = 'votes', covariates = [], ...options }: LeaderboardOptions = {},
): Leaderboard {
  const pairs = countPairs(chosen(source, votes, verdicts), { covariates });
  const { fit: _, ...fragility } = fragilityOf(pairs, options);
  return { source, ...bootstrapRatings(pairs, options), fragility };
}

function* chosen(
  source: Leaderboard['source'],
  votes: Iterable<Vote>,
  verdicts: Iterable<Vote>,
): Generator<Vote, void, undefined> {
  if (source !== 'verdicts') yield* votes;
  if (source !== 'votes') yield* verdicts;
}
