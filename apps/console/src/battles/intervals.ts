import type { shapes } from '@lensforge/sdk';

type Entry = shapes.LeaderboardEntry;

export interface Scale {
  low: number;
  high: number;
}

/** The range of all intervals, with some space on both sides, so that no end touches the border. */
export function computeScale(entries: readonly Pick<Entry, 'eloInterval'>[]): Scale {
  const low = Math.min(...entries.map(({ eloInterval }) => eloInterval.low));
  const high = Math.max(...entries.map(({ eloInterval }) => eloInterval.high));
  const space = Math.max((high - low) * 0.03, 1);
  return { low: low - space, high: high + space };
}

/** The position of a value on a scale, from 0 to 100. */
export const toPercent = (value: number, { low, high }: Scale): number => ((value - low) / (high - low)) * 100;

/** Round values of a scale, for its axis. */
export function computeTicks({ low, high }: Scale): number[] {
  const step = [25, 50, 100, 200, 500, 1000, 2000, 5000].find((each) => (high - low) / each <= 6) ?? 10_000;
  const ticks: number[] = [];
  for (let at = Math.ceil(low / step) * step; at <= high; at += step) ticks.push(at);
  return ticks;
}

/** `2` when the intervals leave one place open, else `1–3`. */
export const rangeText = ({ best, worst }: Entry['ranks']): string => (best === worst ? `${best}` : `${best}–${worst}`);
