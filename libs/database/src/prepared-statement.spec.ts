import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type * as Module from './prepared-statement.js';
import { type TestDatabase, openTestDatabase } from './testing.js';

/** Its own set of statements, so that tests of all statements do not find those of this file. */
const { preparedStatement } = (await import(`./prepared-statement.js?${import.meta.url}`)) as typeof Module;

describe('preparedStatement', () => {
  let database: TestDatabase;
  let source: TestDatabase['source'];

  beforeAll(async () => {
    database = await openTestDatabase({ poolSize: 1 });
    ({ source } = database);
  });
  afterAll(() => database.close());

  const plans = (text: string) =>
    source.query<{ name: string; times: number }[]>(
      `select name, (generic_plans + custom_plans)::int as times from pg_prepared_statements where statement like $1`,
      [`%${text}%`],
    );

  it('is prepared once for each connection, unlike plain statements', async () => {
    const statement = preparedStatement('select $1::int + 40 as sum');
    for (let times = 1; times <= 8; times += 1) {
      expect(await source.query(statement, [times])).toEqual([{ sum: times + 40 }]);
      expect(await source.query('select $1::int + 50 as sum', [times])).toEqual([{ sum: times + 50 }]);
    }
    expect(await plans('+ 40')).toEqual([{ name: expect.stringMatching(/^once_[0-9a-f]{16}$/), times: 8 }]);
    expect((await plans('+ 50')).filter(({ name }) => name.startsWith('once'))).toEqual([]);
  });

  it('has a generic plan from its first execution, also after a rollback', async () => {
    const customPlans = async () =>
      (
        await source.query<{ count: number }[]>(
          `select custom_plans::int as count from pg_prepared_statements where statement like '%+ 60%' and name like 'once%'`,
        )
      )[0]?.count;
    const statement = preparedStatement('select $1::int + 60 as sum');
    const mode = async () =>
      (await source.query<[{ mode: string }]>('select current_setting($1) as mode', ['plan_cache_mode']))[0].mode;
    expect(await mode()).toBe('auto');
    await expect(
      source.transaction(async (db) => {
        await db.query(statement, [1]);
        throw new Error('rolled back');
      }),
    ).rejects.toThrow('rolled back');
    await source.query(statement, [2]);
    expect(await customPlans()).toBe(0);
    await expect(source.transaction((db) => db.query('select 1 / $1::int', [0]))).rejects.toThrow('division by zero');
    expect(await mode()).toBe('auto');
    await source.query(statement, [3]);
    expect(await customPlans()).toBe(0);
  });

  it('names each statement by its text', async () => {
    expect(await source.query(preparedStatement('select $1::text as a'), ['x'])).toEqual([{ a: 'x' }]);
    expect(await source.query(preparedStatement('select $1::text as b'), ['x'])).toEqual([{ b: 'x' }]);
  });

  it('fails once after a schema change, and then works again', async () => {
    await source.query('create table changing (member integer)');
    await source.query('insert into changing values (1)');
    const statement = preparedStatement('select * from changing where member > $1');
    expect(await source.query(statement, [0])).toEqual([{ member: 1 }]);
    await source.query('alter table changing add column another integer');
    await expect(source.query(statement, [0])).rejects.toThrow('cached plan must not change result type');
    expect(await source.query(statement, [0])).toEqual([{ member: 1, another: null }]);
  });

  it('is prepared again by a new connection, which replaces the old one after some thousand uses', async () => {
    const backend = async () => (await source.query<{ pid: number }[]>('select pg_backend_pid() as pid'))[0]?.pid;
    const [before, pids] = [await backend(), new Set<number | undefined>()];
    for (let use = 0; use < 5000; use += 1) pids.add(await backend());
    expect(pids).toContain(before);
    expect(await backend()).not.toBe(before);
  });
});
