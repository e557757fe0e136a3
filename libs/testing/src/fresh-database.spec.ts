import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import type { FreshDatabase } from './index.js';
import { freshDatabase } from './index.js';

async function ask(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

describe('a fresh database', () => {
  let one: FreshDatabase;
  let other: FreshDatabase;

  beforeAll(async () => {
    [one, other] = await Promise.all([freshDatabase(), freshDatabase()]);
  });
  afterAll(() => Promise.all([one.drop(), other.drop()]));

  it('is named after the file that asked for it', () => {
    expect(one.url).toMatch(/\/t_fresh_database_[0-9a-f]{10}$/);
  });

  it('has the newest schema', async () => {
    await expect(ask(one.url, 'select version from schema_migrations')).resolves.not.toHaveLength(0);
  });

  it('shares nothing with another', async () => {
    await ask(one.url, 'create table mine (id integer)');
    await expect(ask(other.url, 'select * from mine')).rejects.toThrow('does not exist');
  });

  it('can be had without the schema, for tests of migrations', async () => {
    const empty = await freshDatabase({ empty: true });
    await expect(ask(empty.url, `select 1 from pg_tables where schemaname = 'public'`)).resolves.toEqual([]);
    await empty.drop();
  });

  it('is gone after dropping, even with somebody connected', async () => {
    const short = await freshDatabase();
    const client = new pg.Client({ connectionString: short.url });
    client.on('error', () => undefined);
    await client.connect();
    await short.drop();
    await expect(ask(short.url, 'select 1')).rejects.toThrow('does not exist');
  });
});
