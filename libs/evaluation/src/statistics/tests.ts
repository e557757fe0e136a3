import { fairCoinAtMost } from './distributions.js';

/**
 * The two-sided p-value that the differences are as often above 0 as below it; ties do not count. For one verdict a case on
 * each side it is the exact test of McNemar.
 */
export function signTest(differences: readonly number[]): number {
  const above = differences.filter((each) => each > 0).length;
  const below = differences.filter((each) => each < 0).length;
  return Math.min(1, 2 * fairCoinAtMost(Math.min(above, below), above + below));
}

/** The p-values adjusted by Holm, in the same order: the chance of one false finding among all stays below the level. */
export function holm(pValues: readonly number[]): number[] {
  const order = pValues.map((p, index) => ({ p, index })).toSorted((one, other) => one.p - other.p);
  const adjusted = pValues.map(() => 1);
  let highest = 0;
  for (const [rank, { p, index }] of order.entries()) {
    highest = Math.max(highest, Math.min(1, p * (pValues.length - rank)));
    adjusted[index] = highest;
  }
  return adjusted;
}
