import type { Spread } from './percentile.js';
import { spreadOf } from './percentile.js';

export type Side = 'ours' | 'floor';
export type Unit = '/s' | 'ms' | 'MB' | 'kB' | 'rows';

/** Shares of a core that each process took while a figure was measured. */
export type Cores = Readonly<Record<string, number>>;

/** What one round found for one figure. */
export interface Finding {
  value: number;
  cores?: Cores;
}

export interface Target {
  /** How the figure that counts is made of the medians. */
  of: 'ratio' | 'ours';
  least?: number;
  most?: number;
}

/** One figure of the table, round by round. */
export interface Row {
  group: string;
  name: string;
  unit: Unit;
  target?: Target;
  ours: readonly Finding[];
  /** Absent where there is nothing to compare with. */
  floor?: readonly Finding[];
}

export interface Judged extends Omit<Row, 'ours' | 'floor'> {
  ours: Spread;
  floor?: Spread;
  /** Ours by floor: of the medians, and the least and largest of the rounds, each with the floor measured beside it. */
  ratio?: Spread;
  reached?: boolean;
  cores?: { ours: Cores; floor?: Cores };
  rounds: { ours: number[]; floor?: number[] };
}

const values = (findings: readonly Finding[]): number[] => findings.map(({ value }) => value);

export function judge(row: Row): Judged {
  const { floor: floorFindings, ours: ourFindings, target, ...about } = row;
  const ours = spreadOf(values(ourFindings));
  const floor = floorFindings && spreadOf(values(floorFindings));
  const ratio =
    floorFindings && ratioOf(ourFindings, floorFindings, ours.median / spreadOf(values(floorFindings)).median);
  const counted = target && (target.of === 'ours' ? ours.median : ratio?.median);
  const cores = coresOf(row);
  return {
    ...about,
    ours,
    ...(floor && { floor }),
    ...(ratio && { ratio }),
    ...(target && { target, reached: isReached(target, counted) }),
    ...(cores && { cores }),
    rounds: { ours: values(ourFindings), ...(floorFindings && { floor: values(floorFindings) }) },
  };
}

function ratioOf(ours: readonly Finding[], floor: readonly Finding[], median: number): Spread {
  const pairs = ours.flatMap(({ value }, round) => {
    const beside = floor[round]?.value;
    return beside === undefined ? [] : [value / beside];
  });
  const { min, max } = spreadOf(pairs);
  return { min, median, max };
}

function isReached({ least, most }: Target, counted: number | undefined): boolean {
  if (counted === undefined || Number.isNaN(counted)) return false;
  return (least === undefined || counted >= least) && (most === undefined || counted <= most);
}

function coresOf({ ours, floor }: Row): Judged['cores'] {
  const [mine, beside] = [medianCores(ours), floor && medianCores(floor)];
  return mine && { ours: mine, ...(beside && { floor: beside }) };
}

function medianCores(findings: readonly Finding[]): Cores | undefined {
  const known = findings.map(({ cores }) => cores).filter((cores) => cores !== undefined);
  if (known.length === 0) return undefined;
  const names = [...new Set(known.flatMap((cores) => Object.keys(cores)))];
  return Object.fromEntries(names.map((name) => [name, spreadOf(known.map((cores) => cores[name] ?? 0)).median]));
}
