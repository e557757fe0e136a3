import { addBallots, type CountedPairs } from './count-pairs.js';
import {
  centred,
  DEFAULT_RIDGE,
  EQUAL,
  type Effect,
  toElo,
  type FitOptions,
  type Rating,
  type Ratings,
  computeRatings,
  summarizeFit,
} from './fit-ratings.js';
import { PairModel } from './pair-model.js';
import { Random } from '@lensforge/core';

export type BootstrapOptions = FitOptions & {
  /** The number of resamples, 200 by default. */
  bootstraps?: number;
  /** The start of the pseudo-random numbers: the same seed gives the same intervals. */
  seed?: number;
};

export type Interval = { low: number; high: number };

export type IntervalRating = Rating & {
  /** 95 % interval of the strength. */
  interval: Interval;
  eloInterval: Interval;
  /** Best and worst rank: a contender is surely above another when its whole interval is. */
  ranks: { best: number; worst: number };
};

export type IntervalEffect = Effect & { interval: Interval };

const PRECISION = 1e-3;

/**
 * Ratings with 95 % bootstrap intervals. A resample takes each distinct vote as often as a Poisson distribution with mean
 * `count` says, so that votes are resampled whole. It also draws the means of the prior from the prior, so that a contender
 * with few or one-sided votes has a wide interval.
 */
export function bootstrapRatings(
  pairs: CountedPairs,
  { ridge = DEFAULT_RIDGE, bootstraps = 200, seed = 1 }: BootstrapOptions = {},
): Ratings<IntervalRating, IntervalEffect> {
  if (!Number.isSafeInteger(bootstraps) || bootstraps < 2) {
    throw new RangeError(`bootstraps must be a whole number from 2, not ${bootstraps}.`);
  }
  if (!Number.isSafeInteger(seed)) throw new RangeError(`seed must be a whole number, not ${seed}.`);
  const model = new PairModel(pairs, ridge);
  const solution = model.solve(pairs.counts);
  const { parameters } = solution;

  const samples = Array.from({ length: model.size }, () => new Float64Array(bootstraps));
  const counts = new Float64Array(pairs.counts.length);
  const times = new Float64Array(pairs.ballots.count.length);
  const prior = new Float64Array(model.size);
  let { converged } = solution;
  for (let bootstrap = 0; bootstrap < bootstraps; bootstrap += 1) {
    const random = new Random(seed, bootstrap + 1);
    for (let at = 0; at < prior.length; at += 1) prior[at] = random.normal() / Math.sqrt(ridge);
    for (let ballot = 0; ballot < times.length; ballot += 1) {
      times[ballot] = random.poisson(pairs.ballots.count[ballot] as number);
    }
    counts.fill(0);
    addBallots(counts, pairs.ballots, times);
    const resampled = model.solve(counts, { start: parameters, prior, tolerance: PRECISION });
    converged &&= resampled.converged;
    const strengths = centred(pairs, resampled.parameters);
    for (const [at, values] of samples.entries()) {
      values[bootstrap] = at < strengths.length ? (strengths[at] as number) : (resampled.parameters[at] as number);
    }
  }

  const { ratings, effects, components } = computeRatings(pairs, parameters);
  const indexOf = new Map(pairs.contenders.map((id, index) => [id, index]));
  const intervals = ratings.map((rating) => {
    const values = samples[indexOf.get(rating.contender) as number] as Float64Array;
    return intervalAround(rating.strength, values);
  });
  const ranks = rankRanges(ratings, intervals);
  return {
    ratings: ratings.map((rating, index) => {
      const interval = intervals[index] as Interval;
      return {
        ...rating,
        interval,
        eloInterval: { low: toElo(interval.low), high: toElo(interval.high) },
        ranks: ranks[index] as IntervalRating['ranks'],
      };
    }),
    effects: effects.map((effect, index) => ({
      ...effect,
      interval: intervalAround(effect.effect, samples[model.tieIndex + 1 + index] as Float64Array),
    })),
    components,
    fit: { ...summarizeFit(pairs, ridge, solution), converged, bootstraps, seed },
  };
}

/** The middle 95 % of resampled values, extended to the estimate where it lies outside. */
function intervalAround(estimate: number, values: Float64Array): Interval {
  const sorted = values.toSorted();
  return { low: Math.min(estimate, quantile(sorted, 0.025)), high: Math.max(estimate, quantile(sorted, 0.975)) };
}

/** The value that a further draw is below with this probability. */
function quantile(sorted: Float64Array, share: number): number {
  const position = Math.min(Math.max(share * (sorted.length + 1) - 1, 0), sorted.length - 1);
  const below = Math.floor(position);
  const low = sorted[below] as number;
  const high = sorted[Math.min(below + 1, sorted.length - 1)] as number;
  return low + (position - below) * (high - low);
}

/** Best rank: 1 + the contenders whose intervals lie above. Worst: the component's size − those whose intervals lie below. */
function rankRanges(ratings: readonly Rating[], intervals: readonly Interval[]): IntervalRating['ranks'][] {
  return ratings.map(({ component }, index) => {
    const { low, high } = intervals[index] as Interval;
    let best = 1;
    let worst = 0;
    for (const [other, interval] of intervals.entries()) {
      if (ratings[other]?.component !== component) continue;
      if (interval.low > high + EQUAL) best += 1;
      if (interval.high >= low - EQUAL) worst += 1;
    }
    return { best, worst };
  });
}
