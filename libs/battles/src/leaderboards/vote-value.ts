/** The rating of a contender, as far as it is known. */
export interface KnownRating {
  strength: number;
  low: number;
  high: number;
}

/** The standard deviation of the prior, which stands for contenders without a rating. */
const PRIOR_DEVIATION = 2;
/** The width of a 95 % interval in standard deviations. */
const WIDTH = 3.92;

/**
 * The information that one more vote on these contenders adds to the ratings, in nats, as the mean over their pairs. It is
 * high for close or uncertain ratings and falls with the votes that the battle already has.
 *
 * A vote on a pair with the win probability p has the information p(1 − p). With a prior variance s² of the difference in
 * strength, n votes are worth ½ ln(1 + n s² p(1 − p)).
 */
export function voteValue(contenders: readonly (KnownRating | null)[], votes: number): number {
  const estimates = contenders.map((rating) => ({
    strength: rating?.strength ?? 0,
    variance: (rating ? (rating.high - rating.low) / WIDTH : PRIOR_DEVIATION) ** 2,
  }));
  let sum = 0;
  let pairs = 0;
  for (const [index, a] of estimates.entries()) {
    for (const b of estimates.slice(index + 1)) {
      const win = 1 / (1 + Math.exp(b.strength - a.strength));
      const information = (a.variance + b.variance) * win * (1 - win);
      sum += Math.log((1 + (votes + 1) * information) / (1 + votes * information)) / 2;
      pairs += 1;
    }
  }
  return pairs === 0 ? 0 : sum / pairs;
}
