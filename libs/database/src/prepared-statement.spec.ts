import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { FreshDatabase } from '@lensforge/testing';
import { freshDatabase } from '@lensforge/testing';
import { openDatabase } from './open-database.js';
import { preparedStatement } from './prepared-statement.js';

describe('a statement that is planned once', () => {
  let database: FreshDatabase;
  let source: Awaited<ReturnType<typeof openDatabase>>;

  beforeAll(async () => {
    database = await freshDatabase();
    source = await openDatabase({ url: database.url, entities: [], applicationName: 'plan-once.spec', poolSize: 1 });
  });
  afterAll(async () => {
    await source.destroy();
    await database.drop();
  });

  const plans = (text: string) =>
    source.query<{ name: string; times: number }[]>(
      `select name, (generic_plans + custom_plans)::int as times from pg_prepared_statements where statement like $1`,
      [`%${text}%`],
    );

  it('is kept by its connection, which plans all others anew', async () => {
    const once = preparedStatement('select $1::int + 40 as sum');
    for (let times = 1; times <= 8; times += 1) {
      expect(await source.query(once, [times])).toEqual([{ sum: times + 40 }]);
      expect(await source.query('select $1::int + 50 as sum', [times])).toEqual([{ sum: times + 50 }]);
    }
    expect(await plans('+ 40')).toEqual([{ name: expect.stringMatching(/^once_[0-9a-f]{16}$/), times: 8 }]);
    expect((await plans('+ 50')).filter(({ name }) => name.startsWith('once'))).toEqual([]);
  });

  it('has a name of its own, whatever it differs in', async () => {
    expect(await source.query(preparedStatement('select $1::text as a'), ['x'])).toEqual([{ a: 'x' }]);
    expect(await source.query(preparedStatement('select $1::text as b'), ['x'])).toEqual([{ b: 'x' }]);
  });

  it('costs one failure when the schema has moved under its plan, not one each time', async () => {
    await source.query('create table moving (member integer)');
    await source.query('insert into moving values (1)');
    const once = preparedStatement('select * from moving where member > $1');
    expect(await source.query(once, [0])).toEqual([{ member: 1 }]);
    await source.query('alter table moving add column another integer');
    await expect(source.query(once, [0])).rejects.toThrow('cached plan must not change result type');
    expect(await source.query(once, [0])).toEqual([{ member: 1, another: null }]);
  });

  it('is planned anew with the next connection, which comes after some thousand uses of this one', async () => {
    const backend = async () => (await source.query<{ pid: number }[]>('select pg_backend_pid() as pid'))[0]?.pid;
    const [before, seen] = [await backend(), new Set<number | undefined>()];
    for (let uses = 0; uses < 5000; uses += 1) seen.add(await backend());
    expect(seen).toContain(before);
    expect(await backend()).not.toBe(before);
  });
});
