import pg from 'pg';

/** Leaves the tables about runs with their default partition alone: with partitions of months, plans depend on the day of the month. */
const dropMonths = `
do $$ declare
  part text;
begin
  for part in
    select c.relname
      from tables_by_month() t (name) join pg_inherits i on i.inhparent = to_regclass(t.name) join pg_class c on c.oid = i.inhrelid
     where c.relname <> t.name || '_other'
  loop
    execute format('drop table %I', part);
  end loop;
end $$`;

/** Runs SQL that inserts many rows, without a timeout, and updates the planner's statistics; for tests of query plans. */
export async function fillDatabase(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(dropMonths);
    await client.query(sql);
    await client.query('vacuum analyze');
  } finally {
    await client.end();
  }
}
