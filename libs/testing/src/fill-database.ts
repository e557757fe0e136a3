import pg from 'pg';

/** Runs SQL that inserts many rows, without a timeout, and updates the planner's statistics. */
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
