import {
  bootstrapRatings,
  type BootstrapOptions,
  type IntervalEffect,
  type IntervalRating,
} from './bootstrap-ratings.js';
import { type Comparisons, groupComparisons } from './comparisons.js';
import { type CountedPairs } from './count-pairs.js';
import { type Ratings } from './fit-ratings.js';
import { measureFragility, type Fragility } from './fragility.js';

export type LeaderboardRating = IntervalRating & Comparisons;

export type Leaderboard = Ratings<LeaderboardRating, IntervalEffect> & { fragility: Omit<Fragility, 'fit'> };

/** Calls the work of a step, for callers that measure it. */
export type MeasureStep = <T>(step: 'bootstraps' | 'fragility', work: () => T) => T;

/** The leaderboard of counted votes: ratings with intervals, effects of covariates, and fragility. */
export function rankContenders(
  pairs: CountedPairs,
  options: BootstrapOptions = {},
  measure: MeasureStep = (_, work) => work(),
): Leaderboard {
  const { fit: _, ...fragility } = measure('fragility', () => measureFragility(pairs, options));
  const { ratings, ...rest } = measure('bootstraps', () => bootstrapRatings(pairs, options));
  const comparisons = groupComparisons(pairs);
  return {
    ...rest,
    ratings: ratings.map((rating) => ({ ...rating, ...(comparisons.get(rating.contender) as Comparisons) })),
    fragility,
  };
}
