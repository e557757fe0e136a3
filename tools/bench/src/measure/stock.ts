import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { alternate, rowOf } from '../report/rounds.js';
import type { Row, Side } from '../report/row.js';
import { type BenchPlatform, openBenchPlatform } from '../setup/bench-platform.js';
import { finding, watched } from './measured.js';
import type { Measure } from './part.js';
import { acceptAndFinish } from './run-through.js';

const connections = 32;
const warmMs = 400;
/** The number of warm-up calls, so that plans and tables are cached. */
const leastCalls = 20;
const maxMs = 20;
const preload = 'pg_stat_statements';

/** The newest PostgreSQL that is installed from Debian's packages. */
export function installedPostgres(): string | undefined {
  const versions = '/usr/lib/postgresql';
  const found = existsSync(versions) ? readdirSync(versions).sort((one, other) => Number(other) - Number(one)) : [];
  return found.map((version) => join(versions, version, 'bin')).find((folder) => existsSync(join(folder, 'postgres')));
}

/**
 * The platform on an installed PostgreSQL with default settings ("ours") and on the embedded one ("baseline"): rates, and the
 * slowest statement of each. Both servers load pg_stat_statements.
 */
export const measureStock =
  (signal: AbortSignal): Measure =>
  async (_stage, options) => {
    const installed = process.env['LENSFORGE_POSTGRES_BIN'] ?? installedPostgres();
    if (installed === undefined) {
      process.stderr.write('  no PostgreSQL is installed here; skipped\n');
      return [];
    }
    const ours = await openBenchPlatform(signal, 1, { postgres: { installed, preload } });
    try {
      const baseline = await openBenchPlatform(signal, 1, { postgres: { preload } });
      try {
        return await compare({ ours, baseline }, options);
      } finally {
        await baseline.close();
      }
    } finally {
      await ours.close();
    }
  };

async function compare(
  stages: Readonly<Record<Side, BenchPlatform>>,
  { rounds, seconds, runs }: Parameters<Measure>[1],
): Promise<Row[]> {
  for (const setup of Object.values(stages)) {
    await setup.db.query(`create extension if not exists ${preload}`);
    await acceptAndFinish(setup, setup.subjects.ours, runs);
    await setup.db.query('select pg_stat_statements_reset()');
  }
  const found = await alternate(rounds, async (side) => {
    const setup = stages[side];
    const subject = setup.subjects.ours;
    await setup.workers(0);
    await setup.clear();
    const accepting = await watched(setup, () =>
      setup.load.carryOut({ kind: 'closed', call: subject.accept(), connections, warmMs, ms: seconds * 1000 }),
    );
    await setup.workers(1);
    await setup.clear();
    const through = await watched(setup, () => acceptAndFinish(setup, subject, runs));
    return {
      accepting: finding(accepting.outcome.answered / (accepting.outcome.ms / 1000), accepting.cores),
      through: finding(runs / through.outcome, through.cores),
      slowest: finding(await slowestMs(setup.db)),
    };
  });
  const versions = Object.values(stages).map(({ servers }) => servers['postgres']?.split(',')[0] ?? '');
  const group = versions.join(' by ');
  const target = { of: 'ratio', least: 0.9 } as const;
  return [
    rowOf({ group, name: `accepted runs, ${connections} connections`, unit: '/s', target }, found, 'accepting'),
    rowOf({ group, name: `end to end: ${runs} runs, one worker`, unit: '/s', target }, found, 'through'),
    rowOf(
      { group, name: 'mean of the slowest statement', unit: 'ms', target: { of: 'ours', most: maxMs } },
      found,
      'slowest',
    ),
  ];
}

/** Only statements of services, without those of the benchmark and of maintenance. */
async function slowestMs(db: pg.Pool): Promise<number> {
  const { rows } = await db.query<{ ms: number; query: string }>(
    `select mean_exec_time as ms, query from pg_stat_statements s join pg_database d on d.oid = s.dbid
      where d.datname = current_database() and calls >= $1 and query !~* '^(truncate|checkpoint|create|begin|commit|rollback)'
      order by mean_exec_time desc limit 1`,
    [leastCalls],
  );
  return rows[0]?.ms ?? 0;
}
