import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freshDatabase, until } from '@lensforge/testing';
import { Client } from 'pg';
import type { Migration } from './index.js';
import { checkSchema, migrate, migrations, newestSchema } from './index.js';

const open: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of open.reverse()) await close();
});

async function emptyDatabase(): Promise<{ url: string; client: Client }> {
  const { url, drop } = await freshDatabase({ empty: true });
  const client = new Client({ connectionString: url });
  await client.connect();
  open.push(drop, () => client.end());
  return { url, client };
}

/** Everything that makes two schemas differ, but not when they were made. */
async function schemaOf(client: Client): Promise<unknown> {
  const questions = [
    `select table_name, column_name, data_type, udt_name, is_nullable, column_default, ordinal_position
       from information_schema.columns where table_schema = 'public' order by 1, 7`,
    `select indexdef from pg_indexes where schemaname = 'public' order by 1`,
    `select conrelid::regclass::text, pg_get_constraintdef(oid) from pg_constraint
      where connamespace = 'public'::regnamespace order by 1, 2`,
    `select pg_get_functiondef(oid) from pg_proc where pronamespace = 'public'::regnamespace order by 1`,
    `select pg_get_triggerdef(oid) from pg_trigger where not tgisinternal order by 1`,
    `select relname, reloptions from pg_class where relnamespace = 'public'::regnamespace order by 1`,
    'select version, name from schema_migrations order by 1',
    'select key, provider_key, is_default from models order by 1',
  ];
  const answers = [];
  for (const question of questions) answers.push((await client.query<Record<string, unknown>>(question)).rows);
  return answers;
}

const nameOf = ({ version, name }: Migration) => `${String(version).padStart(4, '0')}-${name}`;
const ask =
  (client: Client) =>
  async <R>(sql: string) =>
    (await client.query(sql)).rows as R[];

describe('the list of migrations', () => {
  it('counts up from 1', () => {
    const versions = migrations.map(({ version }) => version);
    expect(versions[0]).toBe(1);
    expect(versions).toEqual([...new Set(versions)].sort((a, b) => a - b));
    expect(newestSchema()).toBe(versions.at(-1));
    expect(newestSchema([])).toBe(0);
  });
});

describe('migrate', () => {
  let whole: unknown;

  beforeAll(async () => {
    const { url, client } = await emptyDatabase();
    await expect(migrate(url)).resolves.toEqual(migrations.map(nameOf));
    whole = await schemaOf(client);
  });

  it('arrives at the same schema one release after the other', async () => {
    const { url, client } = await emptyDatabase();
    for (const [index, migration] of migrations.entries()) {
      await expect(migrate(url, migrations.slice(0, index + 1))).resolves.toEqual([nameOf(migration)]);
    }
    expect(await schemaOf(client)).toEqual(whole);
  });

  it('does nothing on a schema that is current', async () => {
    const { url } = await emptyDatabase();
    await migrate(url);
    await expect(migrate(url)).resolves.toEqual([]);
  });

  it('works once when three start at the same time', async () => {
    const { url, client } = await emptyDatabase();
    const done = await Promise.all([migrate(url), migrate(url), migrate(url)]);
    expect(done.filter((names) => names.length > 0)).toEqual([migrations.map(nameOf)]);
    expect(await schemaOf(client)).toEqual(whole);
  });

  const first: Migration = {
    version: 1,
    name: 'first',
    sql: 'create table first (id integer); insert into first values (1)',
  };
  const broken: Migration = { version: 2, name: 'broken', sql: 'create table second (id integer); select 1 / 0' };
  const tablesOf = async (client: Client) =>
    (
      await client.query<{ name: string }>(
        `select tablename as name from pg_tables where schemaname = 'public' order by 1`,
      )
    ).rows.map(({ name }) => name);

  it('leaves nothing of a migration that fails, keeps those before it, and goes on once it is mended', async () => {
    const { url, client } = await emptyDatabase();
    await expect(migrate(url, [first, broken])).rejects.toThrow(
      'Migration 2 (broken) failed and was rolled back: error: division by zero',
    );
    expect(await tablesOf(client)).toEqual(['first', 'schema_migrations']);
    const mended = { ...broken, sql: 'create table second (id integer)' };
    await expect(migrate(url, [first, mended])).resolves.toEqual(['0002-broken']);
    expect(await tablesOf(client)).toEqual(['first', 'schema_migrations', 'second']);
  });

  it('leaves nothing of a migration that is killed, and lets the next starter finish', async () => {
    const { url, client } = await emptyDatabase();
    const slow = { ...broken, name: 'slow', sql: 'create table second (id integer); select pg_sleep(60)' };
    const killed = migrate(url, [first, slow]);
    const refusal = expect(killed).rejects.toThrow(/Migration 2 \(slow\) failed and was rolled back/);
    await until(async () => {
      const { rowCount } = await client.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
          where application_name = 'migrate' and datname = current_database() and query like '%pg_sleep%'`,
      );
      return rowCount === 1;
    });
    await refusal;
    expect(await tablesOf(client)).toEqual(['first', 'schema_migrations']);
    await expect(migrate(url, [first, { ...slow, sql: 'create table second (id integer)' }])).resolves.toEqual([
      '0002-slow',
    ]);
  });

  it('refuses a schema that a newer release has made', async () => {
    const { url, client } = await emptyDatabase();
    await migrate(url);
    await client.query(`insert into schema_migrations (version, name) values (999, 'from the future')`);
    const newest = newestSchema();
    const message = `The database schema is at version 999, newer than the ${newest} this program knows: start the newer release`;
    await expect(migrate(url)).rejects.toThrow(message);
    await expect(checkSchema(ask(client))).rejects.toThrow(message);
  });

  it('refuses a database of the migrations before the baseline, and so does a service', async () => {
    const { url, client } = await emptyDatabase();
    await migrate(url);
    await client.query(`update schema_migrations set name = 'ground-floor' where version = 1`);
    await client.query(`insert into schema_migrations (version, name) values (25, 'tracking-records')`);
    const message =
      'The database was made by an older Lensforge and cannot be migrated: use an empty database (npm start -- --fresh makes one)';
    await expect(migrate(url)).rejects.toThrow(message);
    await expect(checkSchema(ask(client))).rejects.toThrow(message);
  });

  it('refuses a server that is too old', async () => {
    const { url, client } = await emptyDatabase();
    await client.query(
      `create function current_setting(name text) returns text language sql as
         $$ select case name when 'server_version_num' then '140012' else '14.12' end $$`,
    );
    const asked = new URL(url);
    asked.searchParams.set('options', '-c search_path=public,pg_catalog');
    await expect(migrate(asked.href)).rejects.toThrow('PostgreSQL 14.12 is too old: version 15 or newer is needed');
  });
});

describe('a service at boot', () => {
  it('takes the schema that it was made for', async () => {
    const { url, client } = await emptyDatabase();
    await migrate(url);
    await expect(checkSchema(ask(client))).resolves.toBeUndefined();
  });

  it('says how far behind a schema is', async () => {
    const { client } = await emptyDatabase();
    const behind = (at: number) =>
      `The database schema is at version ${at}, this program needs ${newestSchema()}: run the migrations first`;
    await expect(checkSchema(ask(client))).rejects.toThrow(behind(0));
  });
});
