import pg from 'pg';

/** Puts many rows into a database of a test, however long a slow machine takes, and tells the planner of them. */
export async function fillDatabase(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
    await client.query('vacuum analyze');
  } finally {
    await client.end();
  }
}
