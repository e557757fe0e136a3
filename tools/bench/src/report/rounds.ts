import type { Finding, Row, Side } from './row.js';

/** What one turn of one side found, by the name of the figure. */
export type Turn = Readonly<Record<string, Finding>>;

/**
 * Measures ours, floor, ours, floor, …: what else the machine does in the meantime meets both sides alike. The side that
 * begins changes with each round, so that neither always finds the caches as the other left them.
 */
export async function alternate(
  rounds: number,
  measure: (side: Side, round: number) => Promise<Turn>,
): Promise<Record<Side, Turn[]>> {
  const found: Record<Side, Turn[]> = { ours: [], floor: [] };
  for (let round = 0; round < rounds; round += 1) {
    const order: Side[] = round % 2 === 0 ? ['ours', 'floor'] : ['floor', 'ours'];
    for (const side of order) found[side].push(await measure(side, round));
  }
  return found;
}

/** The rounds of one figure as a row; a figure that a turn lacks is left out of that round on both sides. */
export function rowOf(about: Omit<Row, 'ours' | 'floor'>, found: Record<Side, readonly Turn[]>, figure: string): Row {
  const pairs = found.ours.flatMap((turn, round) => {
    const [ours, floor] = [turn[figure], found.floor[round]?.[figure]];
    return ours && floor ? [{ ours, floor }] : [];
  });
  return { ...about, ours: pairs.map(({ ours }) => ours), floor: pairs.map(({ floor }) => floor) };
}
