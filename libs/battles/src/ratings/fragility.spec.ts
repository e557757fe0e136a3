import { describe, expect, it } from '@jest/globals';
import { countPairs, type Vote } from './count-pairs.js';
import { EQUAL, fitRatings } from './fit-ratings.js';
import { fragilityOf } from './fragility.js';
import { Random } from './random.js';
import { simulateVotes } from './simulate-votes.js';

/** First place among contenders of one component, after votes were removed. */
function firstOf(votes: readonly Vote[], contenders: readonly string[]): string {
  // A vote that implies no pair keeps contenders without other votes in the fit; the strengths are those of the prior then.
  const { ratings } = fitRatings(countPairs([...votes, { ranking: [], contenders }]));
  return firsts(ratings).sort().join();
}

function firsts(ratings: readonly { contender: string; strength: number }[]): string[] {
  const top = Math.max(...ratings.map(({ strength }) => strength));
  return ratings.filter(({ strength }) => top - strength <= EQUAL).map(({ contender }) => contender);
}

/** The true minimum: all subsets of votes, the small ones first. */
function fewestBy(votes: readonly Vote[], contenders: readonly string[]): number | null {
  const expected = firstOf(votes, contenders);
  const subsets = Array.from({ length: 2 ** votes.length }, (_, subset) => subset);
  const sizeOf = (subset: number): number => subset.toString(2).replaceAll('0', '').length;
  for (const subset of subsets.sort((a, b) => sizeOf(a) - sizeOf(b))) {
    const left = votes.filter((_, at) => (subset >> at) % 2 === 0);
    if (firstOf(left, contenders) !== expected) return sizeOf(subset);
  }
  return null;
}
