import { Random } from '@lensforge/core';

export const bootstrapDraws = 10_000;

/** Sorted means of samples with replacement, each as large as the values. The same seed gives the same means. */
export function bootstrapMeans(values: readonly number[], seed: number, draws = bootstrapDraws): Float64Array {
  const means = new Float64Array(draws);
  const count = values.length;
  if (count === 0 || values.every((value) => value === values[0])) return means.fill(values[0] ?? 0);
  const from = Float64Array.from(values);
  const random = new Random(seed);
  for (let draw = 0; draw < draws; draw += 1) {
    let sum = 0;
    for (let each = 0; each < count; each += 1) sum += from[Math.floor(random.uniform() * count)] as number;
    means[draw] = sum / count;
  }
  return means.sort();
}
