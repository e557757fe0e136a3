import { setTimeout as pause } from 'node:timers/promises';
import type { Call } from '../load/connection.js';
import { latencyOf } from '../report/percentile.js';
import type { Row } from '../report/row.js';
import type { BenchPlatform } from '../setup/bench-platform.js';
import { finding } from './measured.js';
import type { Measure } from './part.js';

const contenders = 1000;
const battles = 100_000;
const votesEach = 10;
const atOnce = 10_000;
const patienceMs = 1_800_000;
const connections = 16;
const perSecond = 40;

const people = `
insert into accounts (id, kind, handle, display_name) select uuidv7(), 'person', 'rated-' || i, 'x' from generate_series(0, ${contenders - 1}) i`;

/** Published battles of two random contenders, whose strengths differ by up to 4. A tenth of the votes are ties. */
const fill = `
with rated as (select id, substring(handle, 7)::int as n from accounts where handle like 'rated-%'),
made as (
  select uuidv7() as id, p.a, (p.a + 1 + p.b) % ${contenders} as b
    from generate_series($1::int, $2::int) i,
         lateral (select (random() * 1e9)::int % ${contenders} + 0 * i as a, (random() * 1e9)::int % ${contenders - 1} as b) p
), new_battles as (
  insert into battles (id, creator_account_id, title, task_prompt, battle_type, judging_mode, max_contenders, status, blind_key,
                       closed_at, published_at)
  select m.id, r.id, 'x', 'x', 'human_vs_human_open_votes', 'community_vote', 2, 'published', '\\x00', now(), now()
    from made m join rated r on r.n = m.a
), sides as (
  select m.id as battle_id, uuidv7() as id, r.id as lenser, r.n, s.slot
    from made m cross join lateral (values ('A', m.a), ('B', m.b)) s (slot, n) join rated r on r.n = s.n
), new_contenders as (
  insert into battle_contenders (id, battle_id, slot_label, display_name, contender_type, lenser_account_id, owner_account_id)
  select id, battle_id, slot, 'x', 'human', lenser, lenser from sides
), new_submissions as (
  insert into battle_submissions (contender_id, battle_id, content_text)
  select id, battle_id, repeat('word ', 20 + (random() * 100)::int) from sides
)
insert into battle_votes (battle_id, account_id, ranking, entry_order, counted)
select x.battle_id, gen_random_uuid(),
       case when random() < 0.1 then jsonb_build_array(jsonb_build_array(x.id, y.id))
            when random() < 1 / (1 + exp((y.n - x.n) * 4.0 / ${contenders})) then jsonb_build_array(jsonb_build_array(x.id), jsonb_build_array(y.id))
            else jsonb_build_array(jsonb_build_array(y.id), jsonb_build_array(x.id)) end,
       '{}', true
  from sides x join sides y on y.battle_id = x.battle_id and y.slot = 'B', generate_series(1, ${votesEach})
 where x.slot = 'A'`;

const tables =
  'battles, battle_contenders, battle_submissions, battle_votes, leaderboards, leaderboard_entries, rating_refits';

interface Fit {
  source: string;
  covariates: string;
  votes: number;
  timings: { reading: number; bootstraps: number; fragility: number };
}

/** A refit of all leaderboards of a battle type, from the change to the stored result, and pages of a leaderboard. */
export const measureRatings: Measure = async (setup, { rounds, seconds }) => {
  const { db } = setup;
  await setup.workers(1);
  await db.query(people);
  for (let from = 1; from <= battles; from += atOnce) await db.query(fill, [from, from + atOnce - 1]);
  await db.query(`vacuum (analyze) ${tables}`);

  const refit = await refitAll(setup);
  const lists = [];
  for (let round = 0; round < rounds; round += 1) {
    const order = { kind: 'open', call: pageOf(setup, round), connections, perSecond, ms: seconds * 1000 } as const;
    const { latencies } = await setup.load.carryOut(order);
    lists.push(finding(latencyOf(latencies).p99));
  }
  await db.query(`truncate ${tables} cascade`);
  const size = '1,000 contenders, 1,000,000 votes';
  const [plain, style] = ['none', 'style'].map((covariates) =>
    refit.fits.find((fit) => fit.source === 'votes' && fit.covariates === covariates),
  );
  const group = `Refit of leaderboards, ${size}, processor time of its process`;
  const step = (name: string, value: number | undefined, most?: number): Row => ({
    group,
    name,
    unit: 'ms',
    ...(most !== undefined && { target: { of: 'ours', most } }),
    ours: [finding(value ?? NaN)],
  });
  return [
    step('reading and counting the votes', plain?.timings.reading),
    step('fit and 200 bootstraps', plain?.timings.bootstraps, 32_000),
    step('fragility', plain?.timings.fragility),
    step('fit and 200 bootstraps with covariates', style?.timings.bootstraps),
    step('fragility with covariates', style?.timings.fragility),
    {
      group: `Refit of leaderboards, ${size}, elapsed time`,
      name: 'all tables',
      unit: 'ms',
      ours: [finding(refit.elapsedMs)],
    },
    {
      group: `GET /v1/leaderboards/{battleType}, p99, ${contenders.toLocaleString('en')} contenders`,
      name: 'a page of 100',
      unit: 'ms',
      target: { of: 'ours', most: 20 },
      ours: lists,
    },
  ];
};

async function refitAll({ db }: BenchPlatform): Promise<{ elapsedMs: number; fits: Fit[] }> {
  await db.query(
    `insert into rating_refits (battle_type, changed_at) values ('human_vs_human_open_votes', now() - interval '1 h')`,
  );
  const since = performance.now();
  for (;;) {
    await pause(500);
    const { rows } = await db.query<Fit>(
      `select source, covariates, (fit->>'votes')::int as votes, timings from leaderboards where battle_type = 'human_vs_human_open_votes'`,
    );
    if (rows.length > 0) {
      const counted = rows.find(({ source }) => source === 'votes')?.votes;
      if (counted !== battles * votesEach) throw new Error(`the leaderboard has ${counted} votes`);
      return { elapsedMs: performance.now() - since, fits: rows };
    }
    if (performance.now() - since > patienceMs) throw new Error('no worker refitted the leaderboards');
  }
}

function pageOf({ platform }: BenchPlatform, round: number): Call {
  const { port } = new URL(platform.urlOf('api-gateway'));
  return {
    port: Number(port),
    method: 'GET',
    path: `/v1/leaderboards/human_vs_human_open_votes?limit=100&offset=${(round * 100) % contenders}`,
    headers: { authorization: `Bearer ${platform.tokens['developer'] ?? ''}` },
    status: 200,
  };
}
