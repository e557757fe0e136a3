import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { FreshDatabase } from '@lensforge/testing';
import { freshDatabase } from '@lensforge/testing';
import { Client } from 'pg';
import type { Migration } from './index.js';
import { migrate, migrations } from './index.js';

const word = `app_${process.pid}_${Date.now()}`;
const roleOf = (name: string) => `${word}_${name}`;
const application = roleOf('services');
const password = 'a-phrase-of-its-own';

let database: FreshDatabase;
let owner: Client;
let services: Client;

const connect = async (user?: string): Promise<Client> => {
  const url = new URL(database.url);
  if (user !== undefined) [url.username, url.password] = [user, password];
  const client = new Client({ connectionString: url.href });
  await client.connect();
  return client;
};
const createRole = (name: string, more = '') =>
  owner.query(`create role ${roleOf(name)} login password '${password}' ${more}`);
const grant = (role: string) => migrate(database.url, migrations, { applicationRole: role });

beforeAll(async () => {
  database = await freshDatabase();
  owner = await connect();
  await createRole('services');
  await expect(grant(application)).resolves.toEqual([]);
  services = await connect(application);
});
afterAll(async () => {
  await services.end();
  const { rows } = await owner.query<{ name: string }>(
    'select rolname as name from pg_roles where starts_with(rolname, $1)',
    [word],
  );
  for (const { name } of rows) await owner.query(`drop owned by ${name} cascade; drop role ${name}`);
  await owner.end();
  await database.drop();
});

const account = '019a0000-0000-7000-8000-00000000000a';
const zeros = `'\\x${'00'.repeat(32)}'`;

describe('the application role', () => {
  it('reads and writes what services do', async () => {
    await services.query(
      `insert into accounts (id, kind, handle, display_name) values ('${account}', 'person', 'ada', 'Ada')`,
    );
    await services.query(`update accounts set display_name = 'Ada L.' where id = '${account}'`);
    await services.query(`insert into runs (id, request_id, account_id, kind, lens_id, status, params, model_id, deadline_at, tags)
      select first_id_of(now()), '${account}', '${account}', 'lens', '${account}', 'queued', '{}', id, now(), '{a}' from models limit 1`);
    const { rows } = await services.query('select label from run_labels');
    expect(rows).toEqual([{ label: 'tag a' }]);
    await services.query('delete from runs');
    await services.query('select lensforge_health()');
  });

  it('adds to the audit log and the ledger', async () => {
    await services.query(`insert into audit_heads (account_id, sequence, hash) values ('${account}', 1, ${zeros})`);
    await services.query(
      `insert into audit_entries (account_id, sequence, id, action, actor, details, request_id, occurred_at, previous_hash, hash)
       values ('${account}', 1, '${account}', 'x', '{}', '{}', '${account}', now(), ${zeros}, ${zeros})`,
    );
    await services.query(`insert into credit_accounts (account_id) values ('${account}')`);
    await services.query(
      `insert into credit_entries (id, account_id, kind, debit, credit, amount) values ('${account}', '${account}', 'grant', 'a', 'b', 1)`,
    );
    for (const table of ['audit_entries', 'credit_entries']) {
      expect((await services.query(`select from ${table}`)).rowCount).toBe(1);
    }
  });

  it.each([
    ['changing an audit entry', 'update audit_entries set action = action'],
    ['deleting an audit entry', 'delete from audit_entries'],
    ['emptying the audit log', 'truncate audit_entries'],
    ['deleting the head of an audit chain', 'delete from audit_heads'],
    ['changing a signed statement', `update audit_statements set statement = ''`],
    ['deleting signed statements', 'delete from audit_statements'],
    ['deleting signed heads', 'delete from audit_signed_heads'],
    ['deleting the newest statement', 'delete from audit_newest_statement'],
    ['deleting the keys of statements', 'delete from audit_signing_keys'],
    ['changing the ledger', 'update credit_entries set amount = 2'],
    ['deleting from the ledger', 'delete from credit_entries'],
    ['emptying the ledger', 'truncate credit_entries'],
    ['replacing a fingerprint', `update master_key_fingerprints set fingerprint = ''`],
    ['pretending another schema', `insert into schema_migrations (version, name) values (99, 'x')`],
    ['granting others its place', `insert into application_roles (name) values ('x')`],
    ['switching off a trigger', 'alter table audit_entries disable trigger all'],
    ['switching off all triggers', 'set session_replication_role = replica'],
    ['dropping a trigger', 'drop trigger audit_entries_are_kept on audit_entries'],
    ['making a trigger', 'create trigger mine before insert on audit_entries execute function refuse_rewriting()'],
    [
      'replacing a function',
      `create or replace function refuse_rewriting() returns trigger language sql as 'select 1'`,
    ],
    ['creating a table', 'create table mine (id integer)'],
    ['creating a function', `create function mine() returns integer language sql as 'select 1'`],
    ['creating an index', 'create index mine on accounts (handle)'],
    ['altering a table', 'alter table accounts add column mine text'],
    ['dropping a table', 'drop table accounts'],
    [
      'dropping a month',
      `select format('drop table %I', relname) from pg_class where relname ~ '^runs_[0-9]{6}$' limit 1`,
    ],
    ['becoming the owner', 'set role postgres'],
    ['reading a file', `copy accounts from '/etc/passwd'`],
    ['making a month of another table', `select make_run_partition('accounts', now())`],
    ['dropping a month that is not over', `select drop_run_month(to_char(now(), 'YYYYMM'))`],
  ])('is refused %s', async (_what, sql) => {
    const superuser = new URL(database.url).username;
    const statement = sql.startsWith('select format')
      ? String((await owner.query<{ format: string }>(sql)).rows[0]?.format)
      : sql.replace('postgres', superuser);
    await expect(services.query(statement)).rejects.toMatchObject({
      code: '42501',
      message: expect.stringMatching(/^permission denied|^must be owner|is not a table by the month|is not over/),
    });
  });

  it('makes and drops the months of runs by functions of the owner', async () => {
    const far = `date_trunc('month', now(), 'UTC') + interval '9 months'`;
    const { rows } = await services.query(`select make_run_partition('runs', ${far}) as made`);
    expect(rows).toEqual([{ made: true }]);
    const past = `(date_trunc('month', now(), 'UTC') - interval '9 months')`;
    await services.query(`select make_run_partition('runs', ${past}), make_run_partition('run_events', ${past})`);
    const { rows: dropped } = await services.query<{ parts: string[] }>(
      `select drop_run_month(to_char(${past} at time zone 'UTC', 'YYYYMM')) as parts`,
    );
    expect(dropped[0]?.parts.map((part) => part.replace(/\d+$/, ''))).toEqual(['run_events_', 'runs_']);
    const { rows: again } = await services.query(
      `select drop_run_month(to_char(${past} at time zone 'UTC', 'YYYYMM')) as parts`,
    );
    expect(again).toEqual([{ parts: [] }]);
  });

  it('cannot lead a function of the owner to its own objects', async () => {
    await services.query('create temporary table tables_by_month (name text)');
    await services.query(`create temporary table accounts_other () inherits (accounts)`).catch(() => undefined);
    await services.query('set search_path = pg_temp, public');
    await expect(services.query(`select public.make_run_partition('accounts', now())`)).rejects.toMatchObject({
      code: '42501',
    });
    await services.query('reset search_path');
  });

  it('reads and writes a table of the next migration without being named again', async () => {
    const next: Migration = { version: 999, name: 'next', sql: 'create table next_things (id integer)' };
    await migrate(database.url, [...migrations, next]);
    await services.query('insert into next_things values (1)');
    await services.query('delete from next_things');
    await owner.query('drop table next_things; delete from schema_migrations where version = 999');
  });

  it('that was dropped is forgotten', async () => {
    await createRole('short_lived');
    await grant(roleOf('short_lived'));
    await owner.query(`drop owned by ${roleOf('short_lived')} cascade; drop role ${roleOf('short_lived')}`);
    await migrate(database.url);
    const { rows } = await owner.query('select name from application_roles');
    expect(rows).toEqual([{ name: application }]);
  });
});

describe('a role that could do more', () => {
  const excess: [string, string, (name: string) => Promise<unknown>][] = [
    ['is not there', 'There is no role', async () => undefined],
    ['is a superuser', 'is a superuser', (name) => createRole(name, 'superuser')],
    ['may create roles', 'may create roles', (name) => createRole(name, 'createrole')],
    ['may replicate', 'may replicate', (name) => createRole(name, 'replication')],
    [
      'may write to all tables',
      'still has the privilege to insert on schema_migrations',
      (name) => createRole(name, 'in role pg_write_all_data'),
    ],
    [
      'is a member of the owner',
      'is a member of',
      (name) => createRole(name, `in role "${new URL(database.url).username}"`),
    ],
    [
      'owns a table',
      'owns tables of the platform',
      async (name) => {
        await createRole(name);
        await owner.query(
          `create table of_${roleOf(name)} (id integer); alter table of_${roleOf(name)} owner to ${roleOf(name)}`,
        );
      },
    ],
  ];

  it.each(excess.map(([what, words, make], index) => [what, words, make, `more_${index}`] as const))(
    'is refused when it %s, and nothing is granted',
    async (_what, words, make, name) => {
      await make(name);
      await expect(grant(roleOf(name))).rejects.toMatchObject({
        name: 'SchemaError',
        message: expect.stringContaining(words),
      });
      const { rows } = await owner.query('select name from application_roles where name = $1', [roleOf(name)]);
      expect(rows).toEqual([]);
    },
  );

  it('is refused when it is the one that migrates', async () => {
    await expect(grant(new URL(database.url).username)).rejects.toThrow('cannot be an application role');
  });
});
