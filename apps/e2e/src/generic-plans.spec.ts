import '@lensforge/agents';
import '@lensforge/battles';
import '@lensforge/identity';
import '@lensforge/lenses';
import '@lensforge/runs';
import '@lensforge/threads';
import '@lensforge/webhooks';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { preparedStatements } from '@lensforge/database';
import { type TestDatabase, openTestDatabase } from '@lensforge/database/testing';
import type { DataSource } from 'typeorm';
import { type Plan, partsOf } from './query-plan-reader.js';

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

/** Tables or indexes that the plan reads whole, without a condition. */
const readWhole = (plan: Plan): (string | undefined)[] =>
  nodesOf(plan)
    .filter((node) => /^(Seq|Index|Index Only|Bitmap Index) Scan$/.test(node['Node Type']) && !node['Index Cond'])
    .map((node) => node['Index Name'] ?? node['Relation Name']);

/** Indexes that are read whole on purpose: all running runs may match. */
const short = ['runs_running'];

let database: TestDatabase;
let source: DataSource;
let indexes: ReadonlyMap<string, string>;

beforeAll(async () => {
  database = await openTestDatabase({ poolSize: 1 });
  ({ source } = database);
  ({ indexes } = await partsOf(source));
  await source.query('set plan_cache_mode = force_generic_plan');
});
afterAll(() => database.close());

const statements = [...preparedStatements].sort().map((sql): [string, string] => [
  sql
    .replace(/^.*?\*\//s, '')
    .replace(/\s+/g, ' ')
    .slice(0, 90),
  sql,
]);

describe('a generic plan that was made on an empty database reads no table or index whole:', () => {
  it.each(statements)('%s', async (_, sql) => {
    await source.query(`prepare kept as ${sql}`);
    try {
      const [{ count }] = await source.query<[{ count: number }]>(
        `select cardinality(parameter_types) as count from pg_prepared_statements where name = 'kept'`,
      );
      const values = count > 0 ? `(${Array.from({ length: count }, () => 'null').join(', ')})` : '';
      const [answer] = await source.query<[{ 'QUERY PLAN': [{ Plan: Plan }] }]>(
        `explain (format json) execute kept${values}`,
      );
      const whole = readWhole(answer['QUERY PLAN'][0].Plan).map((index = '') => indexes.get(index) ?? index);
      expect(whole.filter((index) => !short.includes(index))).toEqual([]);
    } finally {
      await source.query('deallocate kept');
    }
  });
});
