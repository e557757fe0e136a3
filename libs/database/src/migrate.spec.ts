import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freshDatabase, until } from '@lensforge/testing';
import { Client } from 'pg';
import { type Migration, checkSchema, migrate, migrations, newestSchema } from './index.js';

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

/** A description of the schema without creation times, for comparison. */
async function schemaOf(client: Client): Promise<unknown> {
  const queries = [
    `select table_name, column_name, data_type, udt_name, is_nullable, column_default, ordinal_position
       from information_schema.columns where table_schema = 'public' order by 1, 7`,
    `select indexdef from pg_indexes where schemaname = 'public' order by 1`,
    `select conrelid::regclass::text, pg_get_constraintdef(oid) from pg_constraint
      where connamespace = 'public'::regnamespace order by 1, 2`,
    `select case prokind when 'f' then pg_get_functiondef(oid) else oid::regprocedure::text end from pg_proc
      where pronamespace = 'public'::regnamespace order by 1`,
    `select pg_get_triggerdef(oid) from pg_trigger where not tgisinternal order by 1`,
    `select relname, reloptions from pg_class where relnamespace = 'public'::regnamespace order by 1`,
    'select version, name, oldest_program from schema_migrations order by 1',
    'select key, provider_key, is_default from models order by 1',
  ];
  const results = [];
  for (const query of queries) results.push((await client.query<Record<string, unknown>>(query)).rows);
  return results;
}

const nameOf = ({ version, name }: Migration) => `${String(version).padStart(4, '0')}-${name}`;
const queryWith =
  (client: Client) =>
  async <R>(sql: string) =>
    (await client.query(sql)).rows as R[];

describe('the list of migrations', () => {
  it('has ascending versions from 1', () => {
    const versions = migrations.map(({ version }) => version);
    expect(versions[0]).toBe(1);
    expect(versions).toEqual([...new Set(versions)].sort((a, b) => a - b));
    expect(newestSchema()).toBe(versions.at(-1));
    expect(newestSchema([])).toBe(0);
  });

  /** Statements after which a program of an earlier release may fail. A new column needs a default or must be nullable. */
  const unsafe =
    /\b(drop (?:table|column|function|view|type)|rename (?:to|column)|alter column \w+ (?:type|set not null|drop default)|truncate)\b|add column (?![^,;]*\bdefault\b)[^,;]*\bnot null\b/i;

  it('keeps earlier programs running, or names the oldest that does', () => {
    const found = migrations
      .slice(1)
      .filter(({ sql, oldestProgram }) => unsafe.test(sql) && oldestProgram === undefined);
    expect(found.map(nameOf)).toEqual([]);
    const examples = [
      'drop table a',
      'alter table a rename column b to c',
      'alter table a alter column b set not null',
    ];
    for (const sql of [...examples, 'alter table a add column b text not null']) expect(sql).toMatch(unsafe);
    for (const sql of ['add column b text', "add column b text not null default ''"]) expect(sql).not.toMatch(unsafe);
  });
});

describe('migrate', () => {
  let fullSchema: unknown;

  beforeAll(async () => {
    const { url, client } = await emptyDatabase();
    await expect(migrate(url)).resolves.toEqual(migrations.map(nameOf));
    fullSchema = await schemaOf(client);
  });

  it('reaches the same schema one migration at a time', async () => {
    const { url, client } = await emptyDatabase();
    for (const [index, migration] of migrations.entries()) {
      await expect(migrate(url, migrations.slice(0, index + 1))).resolves.toEqual([nameOf(migration)]);
    }
    expect(await schemaOf(client)).toEqual(fullSchema);
  });

  it('does nothing when the schema is current', async () => {
    const { url } = await emptyDatabase();
    await migrate(url);
    await expect(migrate(url)).resolves.toEqual([]);
  });

  it('applies each migration once when three processes start together', async () => {
    const { url, client } = await emptyDatabase();
    const done = await Promise.all([migrate(url), migrate(url), migrate(url)]);
    expect(done.filter((names) => names.length > 0)).toEqual([migrations.map(nameOf)]);
    expect(await schemaOf(client)).toEqual(fullSchema);
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

  it('rolls back a failed migration, keeps earlier ones, and continues after the fix', async () => {
    const { url, client } = await emptyDatabase();
    await expect(migrate(url, [first, broken])).rejects.toThrow(
      'Migration 2 (broken) failed and was rolled back: error: division by zero',
    );
    expect(await tablesOf(client)).toEqual(['first', 'schema_migrations']);
    const fixed = { ...broken, sql: 'create table second (id integer)' };
    await expect(migrate(url, [first, fixed])).resolves.toEqual(['0002-broken']);
    expect(await tablesOf(client)).toEqual(['first', 'schema_migrations', 'second']);
  });

  it('rolls back a killed migration and applies it at the next start', async () => {
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

  it('refuses the schema of a newer release', async () => {
    const { url, client } = await emptyDatabase();
    await migrate(url);
    await client.query(`insert into schema_migrations (version, name) values (999, 'from the future')`);
    const newest = newestSchema();
    const message = `The database schema is at version 999, newer than the ${newest} this program knows: start the newer release`;
    await expect(migrate(url)).rejects.toThrow(message);
    await expect(checkSchema(queryWith(client))).rejects.toThrow(message);
  });

  it('refuses a database of the migrations before the baseline, and so does a service', async () => {
    const { url, client } = await emptyDatabase();
    await migrate(url);
    await client.query(`update schema_migrations set name = 'ground-floor' where version = 1`);
    await client.query(`update schema_migrations set name = 'tracking-records' where version = 25`);
    const message =
      'The database was made by an older Lensforge and cannot be migrated: use an empty database (npm start -- --fresh makes one)';
    await expect(migrate(url)).rejects.toThrow(message);
    await expect(checkSchema(queryWith(client))).rejects.toThrow(message);
  });

  it('waits for another process for a limited time, and releases its lock', async () => {
    const { url, client } = await emptyDatabase();
    await client.query('select pg_advisory_lock(7236401)');
    await expect(migrate(url, [first], { lockTimeoutMs: 200 })).rejects.toThrow(
      'Another process has been migrating this database for more than 0.2 s: wait until it has ended, then run the migrations again',
    );
    await client.query('select pg_advisory_unlock(7236401)');
    await expect(migrate(url, [first])).resolves.toEqual(['0001-first']);
    const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock(7236401) as locked');
    expect(rows).toEqual([{ locked: true }]);
  });

  it('is not bound by the limits that a role has for services', async () => {
    const { url, client } = await emptyDatabase();
    const limited = new URL(url);
    limited.searchParams.set('options', '-c statement_timeout=50');
    const slow = { ...first, sql: 'select pg_sleep(0.2)' };
    await expect(migrate(limited.href, [slow])).resolves.toEqual(['0001-first']);
    expect(await tablesOf(client)).toEqual(['schema_migrations']);
  });

  it('refuses a server that is too old', async () => {
    const { url, client } = await emptyDatabase();
    await client.query(
      `create function current_setting(name text) returns text language sql as
         $$ select case name when 'server_version_num' then '140012' else '14.12' end $$`,
    );
    const modified = new URL(url);
    modified.searchParams.set('options', '-c search_path=public,pg_catalog');
    await expect(migrate(modified.href)).rejects.toThrow('PostgreSQL 14.12 is too old: version 15 or newer is needed');
  });
});

describe('checkSchema', () => {
  it('accepts the schema version of this release', async () => {
    const { url, client } = await emptyDatabase();
    await migrate(url);
    await expect(checkSchema(queryWith(client))).resolves.toEqual([]);
  });

  it('accepts a newer schema whose migrations only add, and migrates nothing there', async () => {
    const { url, client } = await emptyDatabase();
    const newest = newestSchema();
    const added = { version: newest + 1, name: 'added', sql: 'create table added (id integer)' };
    await migrate(url, [...migrations, added]);
    await expect(checkSchema(queryWith(client))).resolves.toEqual([
      `the database schema is at version ${newest + 1}, newer than the ${newest} of this program, which runs on it`,
    ]);
    await expect(migrate(url)).resolves.toEqual([]);
  });

  it('refuses a newer schema with a migration that needs newer programs', async () => {
    const { url, client } = await emptyDatabase();
    const newest = newestSchema();
    const removal = { version: newest + 1, name: 'removal', sql: 'drop table outbox', oldestProgram: newest + 1 };
    const added = { version: newest + 2, name: 'added', sql: 'create table added (id integer)' };
    await migrate(url, [...migrations, removal, added]);
    const message = `The database schema is at version ${newest + 2}, newer than the ${newest} this program knows: start the newer release`;
    await expect(checkSchema(queryWith(client))).rejects.toThrow(message);
    await expect(migrate(url)).rejects.toThrow(message);
  });

  it('checks the schema of a release that did not record which programs run on it', async () => {
    const { url, client } = await emptyDatabase();
    await migrate(url);
    await client.query('alter table schema_migrations drop column oldest_program');
    await expect(checkSchema(queryWith(client))).resolves.toEqual([]);
    await expect(migrate(url)).resolves.toEqual([]);
  });

  it('names both versions when the schema is too old', async () => {
    const { client } = await emptyDatabase();
    const behind = (at: number) =>
      `The database schema is at version ${at}, this program needs ${newestSchema()}: run the migrations first`;
    await expect(checkSchema(queryWith(client))).rejects.toThrow(behind(0));
  });
});
