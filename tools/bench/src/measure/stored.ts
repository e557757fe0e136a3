import type { Row } from '../report/row.js';
import type { BenchPlatform } from '../setup/bench-platform.js';
import { finding, watched } from './measured.js';
import type { Measure } from './part.js';
import { acceptAndFinish } from './run-through.js';

const million = 1_000_000;
const atOnce = 50_000;
const counted = ['runs', 'run_events', 'run_artifacts'];

/** Ended runs of the last days, with the events and the artifact of a minimal run. */
const fill = `
with model as (select id from models where is_default limit 1), made as (
  insert into runs (id, request_id, account_id, kind, lens_id, lens_version_id, status, params, model_id, deadline_at,
                    started_at, completed_at, last_sequence, attempt, token_input, token_output, credit_cost)
  select uuidv7(- interval '1 second' * n), uuidv7(), $3::uuid, 'lens', uuidv7(), uuidv7(), 'succeeded', '{"Name": "Ada"}', model.id,
         now(), now(), now(), 4, 1, 30, 40, 0
    from model, generate_series($1::int, $2::int) n
  returning id
), new_events as (
  insert into run_events (run_id, sequence, type, payload)
  select id, s, 'node.output.delta', jsonb_build_object('nodeId', 'lens', 'text', repeat('word ', 40)) from made, generate_series(1, 4) s
)
insert into run_artifacts (id, run_id, kind, content_text, is_primary_output, visibility)
select uuidv7(), id, 'text', repeat('word ', 40), true, 'private' from made`;

/** Stores ended runs of an account, of the last seconds. */
export async function storeRuns({ db }: BenchPlatform, accountId: string, count: number): Promise<void> {
  for (let from = 1; from <= count; from += atOnce)
    await db.query(fill, [from, Math.min(count, from + atOnce - 1), accountId]);
  await db.query('vacuum (analyze) runs, run_events, run_artifacts');
}

/** The storage of one run in PostgreSQL, and the rate of runs with a million stored ones. */
export const measureStored: Measure = async (setup, { rounds, runs }) => {
  await setup.workers(1);
  const subject = setup.subjects.ours;
  const round = async () => {
    const { outcome, cores } = await watched(setup, () => acceptAndFinish(setup, subject, runs));
    return finding(runs / outcome, cores);
  };
  await setup.clear();
  await acceptAndFinish(setup, subject, runs);
  const few = [];
  for (let n = 0; n < rounds; n += 1) {
    await setup.clear();
    few.push(await round());
  }
  const left = await leftBehind(setup, runs);
  await setup.clear();
  const { rows } = await setup.db.query<{ account_id: string }>('select account_id from lenses limit 1');
  await storeRuns(setup, rows[0]?.account_id ?? '', million);
  await acceptWarm(setup, Math.ceil(runs / 5));
  const many = [];
  for (let n = 0; n < rounds; n += 1) many.push(await besideOthers(setup, runs));
  await setup.clear();
  const group = 'What one run leaves in Postgres';
  return [
    { group, name: 'rows', unit: 'rows', ours: [finding(left.rows)] },
    { group, name: 'bytes, indexes included', unit: 'kB', ours: [finding(left.bytes / 1000)] },
    {
      group: 'Runs completed a second, end to end, with 1,000,000 stored (baseline: with none)',
      name: `${runs} runs`,
      unit: '/s',
      target: { of: 'ratio', least: 0.834 },
      ours: many,
      baseline: few,
    } satisfies Row,
  ];
};

const acceptWarm = async (setup: BenchPlatform, runs: number): Promise<void> => {
  await besideOthers(setup, runs);
};

/** Waits for unfinished runs, which is cheaper than counting a million rows. */
async function besideOthers(setup: BenchPlatform, runs: number) {
  const { ours } = setup.subjects;
  const { outcome, cores } = await watched(setup, async () => {
    const since = performance.now();
    await setup.load.carryOut({ kind: 'fixedCount', call: ours.accept(), connections: 32, count: runs });
    const until = since + 240_000;
    while ((await ours.unfinished()) > 0) {
      if (performance.now() > until) throw new Error('the runs did not end');
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    return (performance.now() - since) / 1000;
  });
  return finding(runs / outcome, cores);
}

async function leftBehind({ db }: BenchPlatform, runs: number): Promise<{ rows: number; bytes: number }> {
  const sizes = await Promise.all(
    counted.map(async (table) => {
      const { rows } = await db.query<{ rows: string; bytes: string }>(
        `select (select count(*) from ${table}) as rows,
                (select sum(pg_total_relation_size(relid)) from pg_partition_tree('${table}') where isleaf) as bytes`,
      );
      return { rows: Number(rows[0]?.rows ?? 0), bytes: Number(rows[0]?.bytes ?? 0) };
    }),
  );
  const sum = (of: 'rows' | 'bytes') => sizes.reduce((total, size) => total + size[of], 0) / runs;
  return { rows: sum('rows'), bytes: sum('bytes') };
}
