import type { Finding, Row, Side } from './row.js';

/** The findings of one round of one side, by the name of the figure. */
export type Sample = Readonly<Record<string, Finding>>;

/**
 * Measures both sides alternately, so that other load affects both alike. The side that begins changes with each round, so
 * that neither always runs with the caches of the other.
 */
export async function alternate(
  rounds: number,
  measure: (side: Side, round: number) => Promise<Sample>,
): Promise<Record<Side, Sample[]>> {
  const found: Record<Side, Sample[]> = { ours: [], baseline: [] };
  for (let round = 0; round < rounds; round += 1) {
    const order: Side[] = round % 2 === 0 ? ['ours', 'baseline'] : ['baseline', 'ours'];
    for (const side of order) found[side].push(await measure(side, round));
  }
  return found;
}

/** The rounds of one figure as a row; skips rounds in which one side lacks the figure. */
export function rowOf(
  about: Omit<Row, 'ours' | 'baseline'>,
  found: Record<Side, readonly Sample[]>,
  figure: string,
): Row {
  const pairs = found.ours.flatMap((sample, round) => {
    const [ours, baseline] = [sample[figure], found.baseline[round]?.[figure]];
    return ours && baseline ? [{ ours, baseline }] : [];
  });
  return { ...about, ours: pairs.map(({ ours }) => ours), baseline: pairs.map(({ baseline }) => baseline) };
}
