import pg from 'pg';
import { nameFromFile } from './current-file.js';
import { testDatabaseServer, testTemplate } from './servers.js';

export interface FreshDatabase {
  url: string;
  drop(): Promise<void>;
}

async function onServer(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: testDatabaseServer() });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

/** Creates a migrated database without rows; with `empty: true` without the schema. */
export async function freshDatabase({ empty = false }: { empty?: boolean } = {}): Promise<FreshDatabase> {
  const name = nameFromFile('_');
  await onServer(`create database ${name} template ${empty ? 'template0' : testTemplate()} strategy file_copy`);
  const url = new URL(testDatabaseServer());
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => onServer(`drop database if exists ${name} with (force)`) };
}
