import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type TestDatabase, openTestDatabase } from '@lensforge/database/testing';
import type { DataSource } from 'typeorm';

/** Tables that only SQL accesses. */
const withoutEntity = [
  'suspension_notices',
  'battle_submissions',
  'battle_votes',
  'battle_judgements',
  'battle_verdicts',
  'battle_events',
  'threads',
  'thread_messages',
  'thread_message_versions',
  'thread_mutes',
  'thread_answers',
  'thread_events',
  'leaderboards',
  'leaderboard_entries',
  'rating_refits',
  'agent_tools',
  'mcp_servers',
  'mcp_authorizations',
  'mcp_authorization_codes',
  'mcp_tools',
  'agent_actions',
  'agent_days',
  'agent_runs',
  'agent_events',
  'agent_steps',
  'agent_tool_calls',
  'outbox',
  'schema_migrations',
  'audit_entries',
  'audit_details',
  'audit_heads',
  'audit_statements',
  'audit_signed_heads',
  'audit_newest_statement',
  'audit_signing_keys',
  'application_roles',
  'master_key_fingerprints',
  'sign_ups',
  'password_resets',
  'auth_attempts',
  'sign_in_networks',
  'second_factors',
  'recovery_codes',
  'passkeys',
  'used_passkey_challenges',
  'operators',
  'outside_identities',
  'refresh_tokens',
  'signing_keys',
  'lens_uses',
  'search_terms',
  'lens_counts',
  'dataset_cases',
  'dataset_revisions',
  'experiment_cells',
  'experiment_events',
  'experiment_judgements',
  'lens_cases',
  'lens_drafts',
  'recorded_calls',
  'run_labels',
  'run_read_tokens',
  'run_streams',
  'run_stream_runs',
  'run_stream_ranges',
  'partner_bundles',
  'sandbox_accounts',
  'sandbox_tokens',
  'sandbox_claims',
];

/** Columns that only processes of earlier releases use, during an upgrade. */
const ofEarlierReleases = ['models.credits_per_1k_input', 'models.credits_per_1k_output'];

let database: TestDatabase;
let source: DataSource;

beforeAll(async () => {
  const libs = join(import.meta.dirname, '../../../libs');
  const files = readdirSync(libs, { recursive: true, encoding: 'utf8' });
  const entities = files.filter((file) => /^[\w-]+\/src\/.*\.entity\.ts$/.test(file));
  await Promise.all(entities.map((file) => import(pathToFileURL(join(libs, file)).href)));
  database = await openTestDatabase();
  ({ source } = database);
});
afterAll(() => database.close());

/** One line for each column of the database. */
async function columnsInDatabase(): Promise<string[]> {
  const rows = await source.query<{ line: string }[]>(
    `select c.relname || '.' || a.attname || ' ' || format_type(a.atttypid, null) ||
            case when a.attnotnull then '' else ' null' end ||
            case when a.attnum = any (p.conkey) then ' key' else '' end as line
       from pg_class c
       join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
       left join pg_constraint p on p.conrelid = c.oid and p.contype = 'p'
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and c.relname <> all ($1)
        and c.relname || '.' || a.attname <> all ($2)`,
    [withoutEntity, ofEarlierReleases],
  );
  return rows.map(({ line }) => line).sort();
}

/** One line for each column of the entities. */
function columnsOfEntities(): string[] {
  return source.entityMetadatas
    .flatMap(({ tableName, columns }) =>
      columns.map((column) =>
        [
          `${tableName}.${column.databaseName} ${source.driver.normalizeType(column)}${column.isArray ? '[]' : ''}`,
          ...(column.isNullable ? ['null'] : []),
          ...(column.isPrimary ? ['key'] : []),
        ].join(' '),
      ),
    )
    .sort();
}

describe('the entities of all libraries', () => {
  it('match the tables, columns and types of the database', async () => {
    expect(columnsOfEntities()).toEqual(await columnsInDatabase());
  });

  it('each have a separate table', () => {
    const tables = source.entityMetadatas.map(({ tableName }) => tableName);
    expect(new Set(tables).size).toBe(tables.length);
    expect(tables.length).toBeGreaterThan(10);
  });
});
