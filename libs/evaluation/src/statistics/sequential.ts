/**
 * A test that can be looked at after each value. It bets against the claim that the mean of bounded values is at most a bound: the
 * stakes grow with each value above it, and while the claim holds, their mean reaches 1/a with a probability of at most a, however
 * often one looks (Ville's inequality). Bets of several sizes are kept side by side, as their best size is not known.
 */
export interface BoundClaim {
  /** The claimed maximum of the mean. */
  bound: number;
  /** The lowest value that can occur: 0, or -1 for differences. */
  lowest: 0 | -1;
}

/** The share of the largest bet that can never lose everything. */
const largest = 0.9;
const ratio = 0.6;
const count = 14;

/** The sizes of the bets as parts of the largest one, which comes first. */
const parts = Array.from({ length: count }, (_, at) => ratio ** at);

/** The logarithms of the stakes before the first value. */
export const newStakes = (): number[] => Array.from({ length: count }, () => 0);

/** Adds a value to the stakes. */
export function bet(claim: BoundClaim, stakes: number[], value: number): void {
  const limit = largest / Math.max(claim.bound - claim.lowest, 0.01);
  const gain = limit * (value - claim.bound);
  // A plain loop: this is done for each run of a label.
  for (let at = 0; at < count; at += 1) stakes[at] = (stakes[at] ?? 0) + Math.log1p((parts[at] ?? 0) * gain);
}

/** True when the claim is refused at a level, which is the probability of refusing it although it holds. */
export function refuses(stakes: readonly number[], level: number): boolean {
  const top = Math.max(...stakes);
  const sum = stakes.reduce((total, stake) => total + Math.exp(stake - top), 0);
  return top + Math.log(sum / stakes.length) >= Math.log(1 / level);
}
