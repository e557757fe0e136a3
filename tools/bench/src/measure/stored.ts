import type { Row } from '../report/row.js';
import type { BenchPlatform } from '../stage/bench-platform.js';
import { finding, watched } from './measured.js';
import type { Measure } from './part.js';
import { acceptAndFinish } from './run-through.js';

const million = 1_000_000;
const atOnce = 50_000;
const counted = ['runs', 'run_events', 'run_artifacts'];

/** Ended runs of the last days, with the events and the artifact of the least run there is. */
const fill = `
with demo as (select account_id from lenses limit 1), model as (select id from models where is_default limit 1), made as (
  insert into runs (id, request_id, account_id, kind, lens_id, lens_version_id, status, params, model_id, deadline_at,
                    started_at, completed_at, last_sequence, attempt, token_input, token_output, credit_cost)
  select uuidv7(- interval '1 second' * n), uuidv7(), account_id, 'lens', uuidv7(), uuidv7(), 'succeeded', '{"Name": "Ada"}', model.id,
         now(), now(), now(), 4, 1, 30, 40, 0
    from demo, model, generate_series($1::int, $2::int) n
  returning id
), told as (
  insert into run_events (run_id, sequence, type, payload)
  select id, s, 'node.output.delta', jsonb_build_object('nodeId', 'lens', 'text', repeat('word ', 40)) from made, generate_series(1, 4) s
)
insert into run_artifacts (id, run_id, kind, content_text, is_primary_output, visibility)
select uuidv7(), id, 'text', repeat('word ', 40), true, 'private' from made`;

/** What one run leaves behind in Postgres, and whether runs are slower when a million others are stored. */
export const measureStored: Measure = async (stage, { rounds, runs }) => {
  await stage.workers(1);
  const subject = stage.subjects.ours;
  const round = async () => {
    const { outcome, cores } = await watched(stage, () => acceptAndFinish(stage, subject, runs));
    return finding(runs / outcome, cores);
  };
  await stage.clear();
  await acceptAndFinish(stage, subject, runs);
  const few = [];
  for (let n = 0; n < rounds; n += 1) {
    await stage.clear();
    few.push(await round());
  }
  const left = await leftBehind(stage, runs);
  await stage.clear();
  for (let from = 1; from <= million; from += atOnce) await stage.db.query(fill, [from, from + atOnce - 1]);
  await stage.db.query('vacuum (analyze) runs, run_events, run_artifacts');
  await acceptWarm(stage, Math.ceil(runs / 5));
  const many = [];
  for (let n = 0; n < rounds; n += 1) many.push(await besideOthers(stage, runs));
  await stage.clear();
  const group = 'What one run leaves in Postgres';
  return [
    { group, name: 'rows', unit: 'rows', ours: [finding(left.rows)] },
    { group, name: 'bytes, indexes included', unit: 'kB', ours: [finding(left.bytes / 1000)] },
    {
      group: 'Runs completed a second, end to end, with 1,000,000 stored (floor: with none)',
      name: `${runs} runs`,
      unit: '/s',
      target: { of: 'ratio', least: 0.834 },
      ours: many,
      floor: few,
    } satisfies Row,
  ];
};

const acceptWarm = async (stage: BenchPlatform, runs: number): Promise<void> => {
  await besideOthers(stage, runs);
};

/** Rather than counting a million rows again and again, only what is unfinished is waited for. */
async function besideOthers(stage: BenchPlatform, runs: number) {
  const { ours } = stage.subjects;
  const { outcome, cores } = await watched(stage, async () => {
    const since = performance.now();
    await stage.load.carryOut({ kind: 'pour', call: ours.accept(), connections: 32, count: runs });
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
