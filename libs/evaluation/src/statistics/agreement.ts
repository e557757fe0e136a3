/** The scores that several raters gave to one thing. */
export type Ratings = readonly number[];

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** The sum of the squared differences of all ordered pairs. */
const spread = (values: readonly number[]): number =>
  2 * (values.length * sum(values.map((value) => value * value)) - sum(values) ** 2);

/**
 * Krippendorff's alpha with the interval metric, which is the nominal one for two values: 1 minus the observed disagreement by
 * that of chance. Things with one rating say nothing; null without a disagreement that chance could make.
 */
export function krippendorffAlpha(things: readonly Ratings[]): number | null {
  const rated = things.filter(({ length }) => length >= 2);
  const all = rated.flat();
  const byChance = spread(all) / Math.max(all.length - 1, 1);
  if (rated.length < 2 || byChance < 1e-12) return null;
  const observed = sum(rated.map((ratings) => spread(ratings) / (ratings.length - 1)));
  return 1 - observed / byChance;
}
