import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { type FreshDatabase, freshDatabase } from './index.js';

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

describe('freshDatabase', () => {
  let one: FreshDatabase;
  let other: FreshDatabase;

  beforeAll(async () => {
    [one, other] = await Promise.all([freshDatabase(), freshDatabase()]);
  });
  afterAll(() => Promise.all([one.drop(), other.drop()]));

  it('names the database after the test file', () => {
    expect(one.url).toMatch(/\/t_fresh_database_[0-9a-f]{10}$/);
  });

  it('applies all migrations', async () => {
    await expect(query(one.url, 'select version from schema_migrations')).resolves.not.toHaveLength(0);
  });

  it('returns separate databases', async () => {
    await query(one.url, 'create table mine (id integer)');
    await expect(query(other.url, 'select * from mine')).rejects.toThrow('does not exist');
  });

  it('returns a database without a schema when `empty` is set', async () => {
    const empty = await freshDatabase({ empty: true });
    await expect(query(empty.url, `select 1 from pg_tables where schemaname = 'public'`)).resolves.toEqual([]);
    await empty.drop();
  });

  it('drops a database in spite of open connections', async () => {
    const dropped = await freshDatabase();
    const client = new pg.Client({ connectionString: dropped.url });
    client.on('error', () => undefined);
    await client.connect();
    await dropped.drop();
    await expect(query(dropped.url, 'select 1')).rejects.toThrow('does not exist');
  });
});
