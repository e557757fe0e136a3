import { type Spread, spreadOf } from './percentile.js';

export type Side = 'ours' | 'baseline';
export type Unit = '/s' | 'ms' | 'µs' | 'MB' | 'kB' | 'rows';

/** The share of a core that each process used during a measurement. */
export type Cores = Readonly<Record<string, number>>;

/** The result of one round for one figure. */
export interface Finding {
  value: number;
  cores?: Cores;
}

export interface Target {
  /** The value that is compared with the target. */
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
  /** Absent without a baseline. */
  baseline?: readonly Finding[];
}

export interface Judged extends Omit<Row, 'ours' | 'baseline'> {
  ours: Spread;
  baseline?: Spread;
  /** Ours divided by the baseline: of the medians, and the minimum and maximum of the rounds. */
  ratio?: Spread;
  reached?: boolean;
  cores?: { ours: Cores; baseline?: Cores };
  rounds: { ours: number[]; baseline?: number[] };
}

const values = (findings: readonly Finding[]): number[] => findings.map(({ value }) => value);

export function judge(row: Row): Judged {
  const { baseline: baselineFindings, ours: ourFindings, target, ...about } = row;
  const ours = spreadOf(values(ourFindings));
  const baseline = baselineFindings && spreadOf(values(baselineFindings));
  const ratio =
    baselineFindings && ratioOf(ourFindings, baselineFindings, ours.median / spreadOf(values(baselineFindings)).median);
  const counted = target && (target.of === 'ours' ? ours.median : ratio?.median);
  const cores = coresOf(row);
  return {
    ...about,
    ours,
    ...(baseline && { baseline }),
    ...(ratio && { ratio }),
    ...(target && { target, reached: isReached(target, counted) }),
    ...(cores && { cores }),
    rounds: { ours: values(ourFindings), ...(baselineFindings && { baseline: values(baselineFindings) }) },
  };
}

function ratioOf(ours: readonly Finding[], baseline: readonly Finding[], median: number): Spread {
  const pairs = ours.flatMap(({ value }, round) => {
    const beside = baseline[round]?.value;
    return beside === undefined ? [] : [value / beside];
  });
  const { min, max } = spreadOf(pairs);
  return { min, median, max };
}

function isReached({ least, most }: Target, counted: number | undefined): boolean {
  if (counted === undefined || Number.isNaN(counted)) return false;
  return (least === undefined || counted >= least) && (most === undefined || counted <= most);
}

function coresOf({ ours, baseline }: Row): Judged['cores'] {
  const [mine, beside] = [medianCores(ours), baseline && medianCores(baseline)];
  return mine && { ours: mine, ...(beside && { baseline: beside }) };
}

function medianCores(findings: readonly Finding[]): Cores | undefined {
  const known = findings.map(({ cores }) => cores).filter((cores) => cores !== undefined);
  if (known.length === 0) return undefined;
  const names = [...new Set(known.flatMap((cores) => Object.keys(cores)))];
  return Object.fromEntries(names.map((name) => [name, spreadOf(known.map((cores) => cores[name] ?? 0)).median]));
}
