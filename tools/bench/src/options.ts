import { parseArgs } from 'node:util';

export const parts = [
  'mix',
  'capacity',
  'scaling',
  'accept',
  'latency',
  'sse',
  'credentials',
  'incoming',
  'deliveries',
  'tools',
  'library',
  'render',
  'runs',
  'workers',
  'nodes',
  'agents',
  'stored',
  'stock',
  'ratings',
  'battles',
  'experiments',
  'fan-out',
  'crowd',
  'memory',
  'start',
  'console',
  'peers',
] as const;
export type Part = (typeof parts)[number];

export interface Options {
  only: ReadonlySet<Part>;
  rounds: number;
  /** The duration of each measurement. */
  seconds: number;
  /** Runs of each end-to-end measurement. */
  runs: number;
  out: string | undefined;
  check: boolean;
  help: boolean;
}

export class BadOption extends Error {
  override readonly name = 'BadOption';
}

export const usage = `npm run bench -- [options]
  --only <part>,…   of ${parts.join(', ')} (all but peers, which installs packages, and console, which needs Chromium)
  --rounds <n>      alternating rounds, ours and baseline (5)
  --seconds <n>     length of each single measurement (2)
  --runs <n>        runs of each end-to-end measurement (2500)
  --out <file>      where the JSON goes (.lensforge/bench/<date>.json)
  --check           exit code 1 when a target is not reached`;

export function readOptions(args: readonly string[]): Options {
  const values = parse(args);
  return {
    only: readParts(values.only),
    rounds: readNumber('rounds', values.rounds, { usual: 5, least: 1, most: 100 }),
    seconds: readNumber('seconds', values.seconds, { usual: 2, least: 0.2, most: 600 }),
    runs: readNumber('runs', values.runs, { usual: 2500, least: 10, most: 1_000_000 }),
    out: values.out,
    check: values.check ?? false,
    help: values.help ?? false,
  };
}

function parse(args: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        only: { type: 'string', multiple: true },
        rounds: { type: 'string' },
        seconds: { type: 'string' },
        runs: { type: 'string' },
        out: { type: 'string' },
        check: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
    return values;
  } catch (error) {
    throw new BadOption(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

function readParts(given: readonly string[] | undefined): Set<Part> {
  if (!given) return new Set(parts.filter((part) => part !== 'peers' && part !== 'console'));
  const names = given.flatMap((each) => each.split(',')).map((name) => name.trim());
  const unknown = names.filter((name) => !parts.some((part) => part === name));
  if (unknown.length > 0)
    throw new BadOption(`--only: there is no ${unknown.join(', ')}; there are ${parts.join(', ')}`);
  return new Set(names as Part[]);
}

interface NumberLimits {
  usual: number;
  least: number;
  most: number;
}

function readNumber(name: string, given: string | undefined, { usual, least, most }: NumberLimits): number {
  const value = given === undefined ? usual : Number(given);
  const whole = name === 'seconds' || Number.isInteger(value);
  if (value >= least && value <= most && whole) return value;
  throw new BadOption(`--${name} is "${given}": it must be a number from ${least} to ${most}`);
}
