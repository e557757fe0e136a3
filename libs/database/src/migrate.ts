import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { renewGrants, grantApplicationRole } from './application-role.js';
import { checkServer } from './check-server.js';
import { type DatabaseAddress, toConnection } from './database-address.js';
import type { Migration } from './migration.js';
import { migrations } from './migrations/index.js';
import { readPatience } from './patience.js';
import { findPooling } from './pooling.js';
import { SchemaError } from './schema-error.js';

export { SchemaError };

const lockKey = 7_236_401;

export const newestSchema = (known: readonly Migration[] = migrations): number => known.at(-1)?.version ?? 0;

export interface MigrateOptions extends Pick<DatabaseAddress, 'ca'> {
  /** A role for the services, which gets their privileges. The role of `url` owns the tables. */
  applicationRole?: string | undefined;
  /** How long to wait for another process that migrates. */
  lockTimeoutMs?: number;
}

/** Applies pending migrations and renews the grants of application roles. Concurrent calls wait on an advisory lock. */
export async function migrate(
  url: string,
  known: readonly Migration[] = migrations,
  { applicationRole, ca, lockTimeoutMs = 60_000 }: MigrateOptions = {},
): Promise<readonly string[]> {
  await requireOwnSession({ url, ca });
  const client = new Client({
    ...toConnection({ url, ca }),
    connectionTimeoutMillis: 5000 * readPatience(),
    application_name: 'migrate',
  });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await checkServer(async <R>(sql: string) => (await client.query(sql)).rows as R[]);
    // The role may have the limits of services as its defaults.
    await client.query('set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0');
    return await withLock(client, lockTimeoutMs, () => applyAll(client, known, applicationRole));
  } finally {
    await client.end();
  }
}

/** Throws SchemaError when the address leads to a connection pooler that gives a client many sessions. */
export async function requireOwnSession(address: DatabaseAddress): Promise<void> {
  const pooling = await findPooling(address);
  if (pooling === 'none' || pooling === 'session') return;
  throw new SchemaError(
    `Migrations need a session of their own, and this address leads to a connection pooler in ${pooling} mode: set DATABASE_DIRECT_URL to the address of PostgreSQL itself`,
  );
}

/** Releases the lock by itself, because a connection pooler would not end the session. */
async function withLock<T>(client: Client, timeoutMs: number, work: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  while (!(await tryLock(client))) {
    if (performance.now() > deadline) {
      throw new SchemaError(
        `Another process has been migrating this database for more than ${timeoutMs / 1000} s: wait until it has ended, then run the migrations again`,
      );
    }
    await pause(100);
  }
  try {
    return await work();
  } finally {
    await client.query('select pg_advisory_unlock($1)', [lockKey]).catch(() => undefined);
  }
}

async function tryLock(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [lockKey]);
  return rows[0]?.locked ?? false;
}

async function applyAll(
  client: Client,
  known: readonly Migration[],
  applicationRole: string | undefined,
): Promise<readonly string[]> {
  await client.query(
    `create table if not exists schema_migrations
       (version integer primary key, name text not null, applied_at timestamptz not null default now())`,
  );
  await client.query('alter table schema_migrations add column if not exists oldest_program integer');
  const applied = await appliedMigrations(async <R>(sql: string) => (await client.query(sql)).rows as R[]);
  refuseOtherHistory(applied, known);
  const at = applied.at(-1)?.version ?? 0;
  refuseIncompatibleSchema(applied, newestSchema(known));
  // The grants are those of the newer release, which may restrict more tables.
  if (at > newestSchema(known)) return [];
  const due = known.filter(({ version }) => version > at);
  for (const each of due) await apply(client, each);
  for (const { batches } of known) if (batches !== undefined) await applyInBatches(client, batches);
  await renewGrants(client);
  if (applicationRole !== undefined) await grantApplicationRole(client, applicationRole);
  return due.map(({ version, name }) => `${String(version).padStart(4, '0')}-${name}`);
}

type Query = <R>(sql: string) => Promise<readonly R[]>;

/**
 * Throws SchemaError unless this program runs on the schema: on that of its release, or on a newer one whose migrations
 * only add. Returns warnings. Services call it at startup.
 */
export async function checkSchema(query: Query): Promise<readonly string[]> {
  const [found] = await query<{ exists: boolean }>(`select to_regclass('schema_migrations') is not null as exists`);
  const applied = found?.exists ? await appliedMigrations(query) : [];
  refuseOtherHistory(applied, migrations);
  const at = applied.at(-1)?.version ?? 0;
  const newest = newestSchema();
  refuseIncompatibleSchema(applied, newest);
  if (at < newest) {
    throw new SchemaError(
      `The database schema is at version ${at}, this program needs ${newest}: run the migrations first`,
    );
  }
  return at > newest
    ? [`the database schema is at version ${at}, newer than the ${newest} of this program, which runs on it`]
    : [];
}

/** True when the connection's role can change the audit log; services should connect with a role that cannot. */
export async function mayRewriteAudit(query: Query): Promise<boolean> {
  const [row] = await query<{ may: boolean }>(
    `select has_table_privilege('audit_entries', 'update') or has_table_privilege('audit_entries', 'delete') as may`,
  );
  return row?.may ?? false;
}

async function apply(client: Client, { version, name, sql, oldestProgram = 0 }: Migration): Promise<void> {
  await client.query('begin');
  try {
    await client.query(sql);
    await client.query('insert into schema_migrations (version, name, oldest_program) values ($1, $2, $3)', [
      version,
      name,
      oldestProgram,
    ]);
    await client.query('commit');
  } catch (reason) {
    await client.query('rollback').catch(() => undefined);
    throw new SchemaError(`Migration ${version} (${name}) failed and was rolled back: ${String(reason)}`, {
      cause: reason,
    });
  }
}

async function applyInBatches(client: Client, statement: string): Promise<void> {
  let position: string | null = null;
  do {
    const { rows }: { rows: { position: string | null }[] } = await client.query(statement, [position]);
    position = rows[0]?.position ?? null;
  } while (position !== null);
}

interface Applied extends Pick<Migration, 'version' | 'name'> {
  /** Null for a migration that an earlier release has applied, which did not record it. */
  oldestProgram: number | null;
}

/** Also reads the table of a release that did not have the column yet. */
const appliedMigrations = (query: Query): Promise<readonly Applied[]> =>
  query<Applied>(
    `select version, name, (to_jsonb(m) ->> 'oldest_program')::int as "oldestProgram"
       from schema_migrations m order by version`,
  );

/** Before the first release the migrations were replaced by a baseline, which databases from before cannot follow. */
function refuseOtherHistory(applied: readonly Applied[], known: readonly Migration[]): void {
  const other = applied.find(({ version, name }) =>
    known.some((each) => each.version === version && each.name !== name),
  );
  if (other) {
    throw new SchemaError(
      'The database was made by an older Lensforge and cannot be migrated: use an empty database (npm start -- --fresh makes one)',
    );
  }
}

/** Programs run on a newer schema if none of its migrations has changed or removed what they use. */
function refuseIncompatibleSchema(applied: readonly Applied[], newest: number): void {
  const newer = applied.filter(({ version }) => version > newest);
  if (newer.every(({ oldestProgram }) => oldestProgram !== null && oldestProgram <= newest)) return;
  throw new SchemaError(
    `The database schema is at version ${newer.at(-1)?.version}, newer than the ${newest} this program knows: start the newer release`,
  );
}
