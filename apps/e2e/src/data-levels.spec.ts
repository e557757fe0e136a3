import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type TestDatabase, openTestDatabase } from '@lensforge/database/testing';

/** Binary columns that open nothing: digests of contents and chains, bodies, and the public half of passkeys. */
const harmlessBinary = [
  'agent_tools.pinned_digest',
  'audit_entries.hash',
  'audit_entries.previous_hash',
  'audit_heads.hash',
  'audit_signed_heads.hash',
  'idempotency_keys.fingerprint',
  'mcp_tools.digest',
  'passkeys.credential_id',
  'passkeys.public_key',
  'used_passkey_challenges.challenge',
  'webhook_attempts.answer',
  'webhook_events.body',
];

let database: TestDatabase;
/** The names of tables and columns in docs/data-levels.md, by the heading of their level. */
let levels: Map<string, { tables: string[]; columns: string[] }>;

const namesIn = (section: string, kind: string): string[] => {
  const line = new RegExp(`^- ${kind}: (.*)$`, 'm').exec(section)?.[1] ?? '';
  return [...line.matchAll(/`([a-z0-9_.]+)`/g)].map(([, name = '']) => name);
};

beforeAll(async () => {
  database = await openTestDatabase();
  const page = await readFile(join(import.meta.dirname, '../../../docs/data-levels.md'), 'utf8');
  levels = new Map(
    page
      .split(/^## /m)
      .slice(1)
      .map((section) => [
        section.split('\n')[0] ?? '',
        { tables: namesIn(section, 'Tables'), columns: namesIn(section, 'Columns') },
      ]),
  );
});
afterAll(() => database.close());

const columnsWhere = async (condition: string): Promise<string[]> => {
  const rows = await database.source.query<{ name: string }[]>(
    `select c.relname || '.' || a.attname as name
       from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and ${condition}`,
  );
  return rows.map(({ name }) => name);
};
const tableOf = (column: string): string => column.split('.')[0] ?? '';

it('gives each table of the database one level', async () => {
  const tables = new Set((await columnsWhere('true')).map(tableOf));
  expect([...levels.values()].flatMap((level) => level.tables).sort()).toEqual([...tables].sort());
});

it('names columns that exist, each once', async () => {
  const named = [...levels.values()].flatMap(({ columns }) => columns);
  expect(new Set(named).size).toBe(named.length);
  const all = await columnsWhere('true');
  expect(named.filter((column) => !all.includes(column))).toEqual([]);
});

it('has all binary columns and passwords, thus all that is sealed or hashed, in the level Secret', async () => {
  const { tables = [], columns = [] } = levels.get('Secret') ?? {};
  const binary = await columnsWhere(`(a.atttypid = 'bytea'::regtype or a.attname like '%password%')`);
  const missing = binary.filter(
    (column) => !tables.includes(tableOf(column)) && !columns.includes(column) && !harmlessBinary.includes(column),
  );
  expect(missing).toEqual([]);
});
