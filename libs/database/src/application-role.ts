import type { Client } from 'pg';
import { SchemaError } from './schema-error.js';

/** Privileges of services on tables with less than full access. All other tables get the default privileges. */
const restricted: Readonly<Record<string, readonly Privilege[]>> = {
  schema_migrations: ['select'],
  application_roles: ['select'],
  master_key_fingerprints: ['select', 'insert'],
  audit_entries: ['select', 'insert'],
  audit_details: ['select', 'insert'],
  audit_heads: ['select', 'insert', 'update'],
  audit_statements: ['select', 'insert'],
  audit_signed_heads: ['select', 'insert'],
  audit_newest_statement: ['select', 'insert', 'update'],
  audit_signing_keys: ['select', 'insert', 'update'],
  credit_entries: ['select', 'insert'],
};

/** Functions with `security definer` that services may call. */
const ownerFunctions = ['make_run_partition(text, timestamptz)', 'drop_run_month(text)', 'erase_audit_details(uuid)'];

const defaultPrivileges = ['select', 'insert', 'update', 'delete'] as const;
type Privilege = (typeof defaultPrivileges)[number];

/** Grants all application roles the privileges for the current schema, and deletes dropped roles from the list. */
export async function renewGrants(client: Client): Promise<void> {
  const { rows: known } = await client.query<{ found: boolean }>(
    `select to_regclass('application_roles') is not null as found`,
  );
  if (!known[0]?.found) return;
  await client.query('delete from application_roles where name not in (select rolname from pg_roles)');
  const { rows } = await client.query<{ name: string }>('select name from application_roles order by name');
  for (const { name } of rows) await grantApplicationRole(client, name);
}

/** Grants a role the privileges of services. Throws SchemaError when it has more, such as ownership of tables. */
export async function grantApplicationRole(client: Client, role: string): Promise<void> {
  await refusePowerful(client, role);
  const name = client.escapeIdentifier(role);
  const schema = await readSchema(client);
  const tables = await tablesIn(client);
  await client.query('begin');
  try {
    await client.query(`revoke all on all tables in schema ${schema} from ${name}`);
    await client.query(`revoke create on schema ${schema} from ${name}, public`);
    await client.query(`grant usage on schema ${schema} to ${name}`);
    await client.query(`grant usage on all sequences in schema ${schema} to ${name}`);
    for (const table of tables) {
      const privileges = restricted[table] ?? defaultPrivileges;
      await client.query(`grant ${privileges.join(', ')} on ${client.escapeIdentifier(table)} to ${name}`);
    }
    for (const signature of ownerFunctions) await client.query(`grant execute on function ${signature} to ${name}`);
    await client.query(
      'insert into application_roles (name) values ($1) on conflict (name) do update set granted_at = now()',
      [role],
    );
    await refuseExcess(client, role);
    await client.query('commit');
  } catch (reason) {
    await client.query('rollback').catch(() => undefined);
    throw reason instanceof SchemaError
      ? reason
      : new SchemaError(`The role ${role} could not be granted its privileges: ${String(reason)}`, { cause: reason });
  }
}

async function readSchema(client: Client): Promise<string> {
  const { rows } = await client.query<{ name: string }>('select quote_ident(current_schema()) as name');
  return rows[0]?.name ?? 'public';
}

/** All tables and views except monthly partitions, which services reach through their parent tables. */
async function tablesIn(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class
      where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'v')
        and not (relispartition and relname !~ '_other$') order by relname`,
  );
  return rows.map(({ name }) => name);
}

async function refusePowerful(client: Client, role: string): Promise<void> {
  const { rows } = await client.query<{ why: string | null }>(
    `select case when r.rolsuper then 'is a superuser'
                 when r.rolcreaterole then 'may create roles, and give itself any other one'
                 when r.rolreplication then 'may replicate, and read everything'
                 when r.rolname = current_user then 'is the role that runs the migrations and owns the tables'
                 when pg_has_role(r.oid, current_user, 'member') then format('is a member of %s, which owns the tables', current_user)
                 when exists (select from pg_class c where c.relnamespace = current_schema()::regnamespace
                                 and c.relowner = r.oid) then 'owns tables of the platform' end as why
       from pg_roles r where r.rolname = $1`,
    [role],
  );
  const [found] = rows;
  if (!found) {
    const statement = `create role ${client.escapeIdentifier(role)} login password '…'`;
    throw new SchemaError(`There is no role ${role}: create it first, as in ${statement}`);
  }
  if (found.why !== null) {
    throw new SchemaError(`The role ${role} cannot be an application role, because it ${found.why}: use another one`);
  }
}

/** Throws when the role still has a privilege that was not granted, through PUBLIC or another role. */
async function refuseExcess(client: Client, role: string): Promise<void> {
  const wanted = Object.entries(restricted).flatMap(([table, granted]) =>
    ['insert', 'update', 'delete', 'truncate', 'trigger']
      .filter((privilege) => !granted.some((each) => each === privilege))
      .map((privilege) => ({ table, privilege })),
  );
  const { rows } = await client.query<{ table: string; privilege: string }>(
    `select w.table, w.privilege from json_to_recordset($2) as w ("table" text, privilege text)
      where to_regclass(w.table) is not null and has_table_privilege($1, w.table, w.privilege)`,
    [role, JSON.stringify(wanted)],
  );
  const [excess] = rows;
  if (excess) {
    throw new SchemaError(
      `The role ${role} still has the privilege to ${excess.privilege} on ${excess.table}, through PUBLIC or a role that it is a member of: revoke that first`,
    );
  }
  const { rows: schemas } = await client.query<{ creates: boolean }>(
    `select has_schema_privilege($1, current_schema(), 'create') as creates`,
    [role],
  );
  if (schemas[0]?.creates) {
    throw new SchemaError(
      `The role ${role} may still create objects in the schema, through PUBLIC or a role that it is a member of: revoke that first`,
    );
  }
}
