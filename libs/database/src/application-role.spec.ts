import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type FreshDatabase, freshDatabase } from '@lensforge/testing';
import { Client } from 'pg';
import { type Migration, migrate, migrations } from './index.js';

const rolePrefix = `app_${process.pid}_${Date.now()}`;
const roleOf = (name: string) => `${rolePrefix}_${name}`;
const application = roleOf('services');
const password = 'a-test-password';

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
    [rolePrefix],
  );
  for (const { name } of rows) await owner.query(`drop owned by ${name} cascade; drop role ${name}`);
  await owner.end();
  await database.drop();
});

const account = '019a0000-0000-7000-8000-00000000000a';
const zeros = `'\\x${'00'.repeat(32)}'`;

describe('the application role', () => {
  it('can read and write the tables of services', async () => {
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

  it('can append to the audit log and the ledger', async () => {
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
    ['change an audit entry', 'update audit_entries set action = action'],
    ['delete an audit entry', 'delete from audit_entries'],
    ['change personal details of an audit entry', `update audit_details set details = '{}'`],
    ['delete personal details of an audit entry', 'delete from audit_details'],
    ['truncate the audit log', 'truncate audit_entries'],
    ['delete the head of an audit chain', 'delete from audit_heads'],
    ['change a signed statement', `update audit_statements set statement = ''`],
    ['delete signed statements', 'delete from audit_statements'],
    ['delete signed heads', 'delete from audit_signed_heads'],
    ['delete the newest statement', 'delete from audit_newest_statement'],
    ['delete the keys of statements', 'delete from audit_signing_keys'],
    ['change the ledger', 'update credit_entries set amount = 2'],
    ['delete from the ledger', 'delete from credit_entries'],
    ['truncate the ledger', 'truncate credit_entries'],
    ['replace a fingerprint', `update master_key_fingerprints set fingerprint = ''`],
    ['insert a schema version', `insert into schema_migrations (version, name) values (99, 'x')`],
    ['register another application role', `insert into application_roles (name) values ('x')`],
    ['disable a trigger', 'alter table audit_entries disable trigger all'],
    ['disable all triggers', 'set session_replication_role = replica'],
    ['drop a trigger', 'drop trigger audit_entries_are_kept on audit_entries'],
    ['create a trigger', 'create trigger mine before insert on audit_entries execute function refuse_audit_change()'],
    [
      'replace a function',
      `create or replace function refuse_audit_change() returns trigger language sql as 'select 1'`,
    ],
    ['create a table', 'create table mine (id integer)'],
    ['create a function', `create function mine() returns integer language sql as 'select 1'`],
    ['create an index', 'create index mine on accounts (handle)'],
    ['alter a table', 'alter table accounts add column mine text'],
    ['drop a table', 'drop table accounts'],
    [
      'drop a partition',
      `select format('drop table %I', relname) from pg_class where relname ~ '^runs_[0-9]{6}$' limit 1`,
    ],
    ['become the owner', 'set role postgres'],
    ['read a file', `copy accounts from '/etc/passwd'`],
    ['create a partition of another table', `select make_run_partition('accounts', now())`],
    ['drop the partitions of a month that is not over', `select drop_run_month(to_char(now(), 'YYYYMM'))`],
  ])('cannot %s', async (_action, sql) => {
    const superuser = new URL(database.url).username;
    const statement = sql.startsWith('select format')
      ? String((await owner.query<{ format: string }>(sql)).rows[0]?.format)
      : sql.replace('postgres', superuser);
    await expect(services.query(statement)).rejects.toMatchObject({
      code: '42501',
      message: expect.stringMatching(/^permission denied|^must be owner|is not a table by the month|is not over/),
    });
  });

  it('creates and drops monthly partitions of runs with functions of the owner', async () => {
    const future = `date_trunc('month', now(), 'UTC') + interval '9 months'`;
    const { rows } = await services.query(`select make_run_partition('runs', ${future}) as made`);
    expect(rows).toEqual([{ made: true }]);
    const past = `(date_trunc('month', now(), 'UTC') - interval '9 months')`;
    await services.query(`select make_run_partition('runs', ${past}), make_run_partition('run_events', ${past})`);
    const { rows: droppedParts } = await services.query<{ parts: string[] }>(
      `select drop_run_month(to_char(${past} at time zone 'UTC', 'YYYYMM')) as parts`,
    );
    expect(droppedParts[0]?.parts.map((part) => part.replace(/\d+$/, ''))).toEqual(['run_events_', 'runs_']);
    const { rows: again } = await services.query(
      `select drop_run_month(to_char(${past} at time zone 'UTC', 'YYYYMM')) as parts`,
    );
    expect(again).toEqual([{ parts: [] }]);
  });

  it('cannot make a function of the owner use its own objects', async () => {
    await services.query('create temporary table tables_by_month (name text)');
    await services.query(`create temporary table accounts_other () inherits (accounts)`).catch(() => undefined);
    await services.query('set search_path = pg_temp, public');
    await expect(services.query(`select public.make_run_partition('accounts', now())`)).rejects.toMatchObject({
      code: '42501',
    });
    await services.query('reset search_path');
  });

  it('can read and write a table of a later migration without a new grant', async () => {
    const next: Migration = { version: 999, name: 'next', sql: 'create table next_things (id integer)' };
    await migrate(database.url, [...migrations, next]);
    await services.query('insert into next_things values (1)');
    expect(await services.query('delete from next_things')).toMatchObject({ rowCount: 1 });
    await owner.query('drop table next_things; delete from schema_migrations where version = 999');
  });

  it('is removed from application_roles after it was dropped', async () => {
    await createRole('short_lived');
    await grant(roleOf('short_lived'));
    await owner.query(`drop owned by ${roleOf('short_lived')} cascade; drop role ${roleOf('short_lived')}`);
    await migrate(database.url);
    const { rows } = await owner.query('select name from application_roles');
    expect(rows).toEqual([{ name: application }]);
  });
});

describe('a role with too many privileges', () => {
  const excess: [string, string, (name: string) => Promise<unknown>][] = [
    ['does not exist', 'There is no role', async () => undefined],
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

  it.each(
    excess.map(([description, message, create], index) => [description, message, create, `more_${index}`] as const),
  )('is refused when it %s, and nothing is granted', async (_description, message, create, name) => {
    await create(name);
    await expect(grant(roleOf(name))).rejects.toMatchObject({
      name: 'SchemaError',
      message: expect.stringContaining(message),
    });
    const { rows } = await owner.query('select name from application_roles where name = $1', [roleOf(name)]);
    expect(rows).toEqual([]);
  });

  it('is refused when it runs the migrations', async () => {
    await expect(grant(new URL(database.url).username)).rejects.toThrow('cannot be an application role');
  });
});
