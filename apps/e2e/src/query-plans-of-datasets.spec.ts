import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Context } from '@lensforge/core';
import { type TestDatabase, openTestDatabase } from '@lensforge/database/testing';
import { changeCases, diffRevisions, listCases, listDatasets, listRevisions, readDataset } from '@lensforge/evaluation';
import { aContext, fillDatabase } from '@lensforge/testing';
import { indexesOf } from './query-plan-reader.js';

/** 20,000 datasets of 2,000 accounts, one of them with 20,000 cases in 20 revisions. */
const fill = `
insert into accounts (id, kind, handle, display_name) select uuidv7(), 'person', 'a-' || i, 'x' from generate_series(1, 2000) i;
insert into datasets (id, account_id, name, revision, cases) select uuidv7(), id, 'set ' || i, 20, 10 from accounts, generate_series(1, 10) i;
insert into dataset_revisions (dataset_id, revision, added, changed, removed, cases) select id, r, 1, 0, 0, r from datasets, generate_series(1, 20) r;
insert into dataset_cases (dataset_id, key, since, until, params)
  select id, 'k' || k, 1, null, '{}' from datasets, generate_series(1, 5) k;
insert into dataset_cases (dataset_id, key, since, until, params)
  select (select id from datasets order by id limit 1), 'many ' || k, r, case when r < 20 then r + 1 end, '{}'
    from generate_series(1, 1000) k, generate_series(1, 20) r`;

let database: TestDatabase;
let datasetId: string;
let accountId: string;

beforeAll(async () => {
  database = await openTestDatabase();
  await fillDatabase(database.url, fill);
  const [first] = await database.source.query<[{ id: string; accountId: string }]>(
    'select id, account_id as "accountId" from datasets order by id limit 1',
  );
  datasetId = first.id;
  ({ accountId } = first);
});
afterAll(() => database.close());

const one = /^datasets by datasets_(pkey|account)$/;
const own = (ctx: Context): Context => ({ ...ctx, actor: aContext(ctx.db, { accountId }).actor });
const calls: [string, (ctx: Context) => Promise<unknown>, (string | RegExp)[]][] = [
  ['listing datasets', (ctx) => listDatasets(own(ctx), { limit: 20 }), ['datasets by datasets_account']],
  ['searching datasets', (ctx) => listDatasets(own(ctx), { q: 'set', limit: 20 }), ['datasets by datasets_account']],
  ['reading one', (ctx) => readDataset(own(ctx), datasetId), [one]],
  [
    'listing cases',
    (ctx) => listCases(own(ctx), { datasetId }, { limit: 20 }),
    [one, /^dataset_cases by dataset_cases_/],
  ],
  [
    'listing old cases',
    (ctx) => listCases(own(ctx), { datasetId, revision: 2 }, { limit: 20 }),
    [one, /^dataset_cases by /],
  ],
  ['comparing', (ctx) => diffRevisions(own(ctx), { datasetId, from: 3 }, { limit: 20 }), [one, /dataset_cases/]],
  ['listing revisions', (ctx) => listRevisions(own(ctx), datasetId, { limit: 20 }), [one, /^dataset_revisions by /]],
  [
    'changing cases',
    (ctx) => changeCases(own(ctx), { datasetId, save: [{ key: 'many 1', params: { a: 1 } }], remove: ['many 2'] }),
    [one, /dataset_cases/],
  ],
];

describe('a query on datasets uses an index:', () => {
  it.each(calls)('%s', async (_, call, expected) => {
    const ways = await indexesOf(database.source, call);
    for (const way of expected) expect(ways).toContainEqual(typeof way === 'string' ? way : expect.stringMatching(way));
    for (const way of ways) {
      const isExpected = expected.some((each) => (typeof each === 'string' ? each === way : each.test(way)));
      expect([way, isExpected]).toEqual([way, true]);
    }
  });
});
