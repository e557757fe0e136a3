import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Context, platformActor } from '@lensforge/core';
import { type TestDatabase, openTestDatabase } from '@lensforge/database/testing';
import {
  advanceExperiment,
  listCells,
  listExperiments,
  readExperiment,
  restoreExperiments,
} from '@lensforge/evaluation';
import { aContext, fillDatabase } from '@lensforge/testing';
import { indexesOf } from './query-plan-reader.js';

/** 20,000 experiments of 2,000 accounts, each with ten cells; the oldest has 20,000, of which some wait and run. */
const fill = `
insert into accounts (id, kind, handle, display_name) select uuidv7(), 'person', 'a-' || i, 'x' from generate_series(1, 2000) i;
insert into datasets (id, account_id, name, revision, cases) select uuidv7(), id, 'set', 1, 10 from accounts;
insert into dataset_cases (dataset_id, key, since, params)
  select (select id from datasets order by id limit 1), 'many ' || k, 1, '{}' from generate_series(1, 10000) k;
insert into experiments (id, account_id, asked_by, request_id, name, status, lens_id, dataset_id, revision, arms, baseline, scorers,
                         repetitions, cases, concurrency, completed_at)
  select uuidv7(), account_id, '{}', uuidv7(), 'x', 'completed', uuidv7(), id, 1, '[{"name":"a"},{"name":"b"}]', 0,
         '[{"name":"s","kind":"model","method":"rubric","rubric":"r"},{"name":"t","kind":"pairwise"}]',
         1, 5, 25, now()
    from datasets, generate_series(1, 10);
insert into experiment_cells (experiment_id, key, repetition, arm, state, scores, passes, details)
  select id, 'k' || k, 1, 0, 'scored', '{1}', '{true}', '[{}]' from experiments, generate_series(1, 10) k;
insert into experiment_cells (experiment_id, key, repetition, arm, state, run_id, scores, passes, details)
  select (select id from experiments order by id limit 1), 'many ' || k, 1, a,
         case when k <= 9900 then 'scored' when a = 0 then 'running' else 'waiting' end, uuidv7(),
         case when k <= 9900 then '{0.5}'::real[] end, case when k <= 9900 then '{true}'::boolean[] end, '[{}]'
    from generate_series(1, 10000) k, generate_series(0, 1) a;
update experiment_cells set state = 'judging' where key like 'many 98%' and arm = 1;
insert into experiment_judgements (experiment_id, key, repetition, arm, scorer, part, state, run_id)
  select experiment_id, key, repetition, arm, s, p, case when state = 'scored' then 'done' when p = 0 then 'running' else 'waiting' end, uuidv7()
    from experiment_cells, generate_series(0, 1) s, generate_series(0, 1) p where key like 'many%' and state in ('scored', 'judging') and s >= p;
update experiments set status = 'running', completed_at = null, is_planned = true,
       asked_by = jsonb_build_object('accountId', account_id, 'userId', account_id, 'scopes', '[]'::jsonb, 'credential', '{"kind":"session","id":"x"}'::jsonb)
 where id = (select id from experiments order by id limit 1)`;

let database: TestDatabase;
let experimentId: string;
let accountId: string;

beforeAll(async () => {
  database = await openTestDatabase();
  await fillDatabase(database.url, fill);
  const [first] = await database.source.query<[{ id: string; accountId: string }]>(
    'select id, account_id as "accountId" from experiments order by id limit 1',
  );
  experimentId = first.id;
  ({ accountId } = first);
});
afterAll(() => database.close());

const own = (ctx: Context): Context => ({ ...ctx, actor: aContext(ctx.db, { accountId }).actor });
const platform = (ctx: Context): Context => ({ ...ctx, actor: platformActor });
const one = /^experiments by experiments_(pkey|account)$/;
const open = /^experiments by experiments_open$/;
const cells = /^experiment_cells by experiment_cells_/;
const judgements = /^experiment_judgements by experiment_judgements_/;
const cases = /^dataset_cases by dataset_cases_/;

const calls: [string, (ctx: Context) => Promise<unknown>, RegExp[]][] = [
  ['listing', (ctx) => listExperiments(own(ctx), { limit: 20 }), [/^experiments by experiments_account$/, cells, one]],
  ['reading one', (ctx) => readExperiment(own(ctx), experimentId), [one, cells, judgements]],
  ['listing cells', (ctx) => listCells(own(ctx), { experimentId }, { limit: 20 }), [one, cells, cases]],
  [
    'listing cells that got better',
    (ctx) => listCells(own(ctx), { experimentId, only: 'better', arm: 'b' }, { limit: 20 }),
    [one, cells, cases],
  ],
  ['restoring', (ctx) => restoreExperiments(platform(ctx)), [open, one]],
  [
    'advancing',
    (ctx) => advanceExperiment(platform(ctx), experimentId, { timeoutMs: 1000 }),
    [one, open, cells, judgements, cases, /^(runs|run_artifacts|lenses|lens_versions|accounts|api_tokens)/],
  ],
];

describe('a query on experiments uses an index:', () => {
  it.each(calls)('%s', async (_, call, expected) => {
    const ways = await indexesOf(database.source, call);
    for (const way of ways) expect([way, expected.some((each) => each.test(way))]).toEqual([way, true]);
    expect(ways.length).toBeGreaterThan(0);
  });
});
