import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { type RunsDatabase, openRunsDatabase } from '../../test/runs-database.js';
import { deleteExpiredRunRecords, maintainRunPartitions } from '../index.js';

let database: RunsDatabase;
beforeAll(async () => {
  database = await openRunsDatabase();
  const rows = await database.source.query<{ name: string }[]>('select name from tables_by_month() name');
  tables = rows.map(({ name }) => name);
  expect(tables).toEqual(expect.arrayContaining(['runs', 'run_events', 'run_artifacts', 'run_labels']));
});
afterAll(() => database.close());

const maintain = (days: number, lockMs = 2000) => maintainRunPartitions(database.platform, { days, lockMs, page: 2 });
let tables: string[];

/** Inserts a run of some months ago with rows in all tables, in the partition of its month if there is one. */
async function anOldRun(months: number, status: 'queued' | 'succeeded' = 'succeeded'): Promise<string> {
  const [{ id }] = await database.source.query<[{ id: string }]>(
    `insert into runs (id, request_id, account_id, kind, lens_id, status, params, model_id, deadline_at, completed_at, created_at, last_sequence, tags)
     select uuidv7($1::int * interval '-1 month'), uuidv7(), $2, 'lens', uuidv7(), $3, '{}', m.id, now(), case $3 when 'succeeded' then now() end,
            now() - $1::int * interval '1 month', 1, '{old}' from models m where m.is_default returning id`,
    [months, database.ctx.actor.accountId, status],
  );
  await database.source.query(`insert into run_events (run_id, sequence, type, payload) values ($1, 1, 'log', '{}')`, [
    id,
  ]);
  await database.source.query(
    `insert into run_artifacts (id, run_id, kind, content_text, is_primary_output, visibility) values ($1, $2, 'text', 'x', true, 'private')`,
    [newId(), id],
  );
  return id;
}

const makePast = (months: number) =>
  database.source.query(`select make_run_partitions(now() - $1::int * interval '1 month', -1)`, [months - 1]);
const left = async (id: string): Promise<number[]> =>
  Promise.all(
    ['runs where id', 'run_events where run_id', 'run_artifacts where run_id', 'run_labels where run_id'].map(
      async (condition) => {
        const [{ count }] = await database.source.query<[{ count: number }]>(
          `select count(*)::int as count from ${condition} = $1`,
          [id],
        );
        return count;
      },
    ),
  );
const partsOf = async (table: string): Promise<string[]> =>
  (
    await database.source.query<{ part: string }[]>(
      'select inhrelid::regclass::text as part from pg_inherits where inhparent = to_regclass($1) order by 1',
      [table],
    )
  ).map(({ part }) => part);

describe('maintainRunPartitions', () => {
  it('creates the coming months for every partitioned table', async () => {
    // The database may be a copy of one that was made in another month.
    await maintain(90);
    const before = await Promise.all(tables.map(partsOf));
    for (const parts of before) expect(parts.length).toBeGreaterThanOrEqual(6);
    const last = before.map((parts) => parts.filter((part) => /\d{6}$/.test(part)).at(-1) ?? '');
    for (const part of last) await database.source.query(`drop table ${part}`);
    expect((await maintain(90)).made.toSorted()).toEqual(last.toSorted());
    expect(await Promise.all(tables.map(partsOf))).toEqual(before);
    expect(await maintain(90)).toEqual({ made: [], dropped: [], deleted: 0, left: [] });
  });

  it('drops months past retention with all rows of their runs', async () => {
    await makePast(8);
    await makePast(7);
    const [older, old] = [await anOldRun(8), await anOldRun(7)];
    expect((await partsOf('runs')).length).toBeGreaterThanOrEqual(8);
    expect((await maintain(0)).dropped).toEqual([]);
    const [{ days }] = await database.source.query<[{ days: number }]>(
      `select extract(day from now() - (date_trunc('month', now(), 'UTC') - interval '7 months'))::int as days`,
    );
    expect((await maintain(days)).dropped.map((part) => part.replace(/_\d+$/, ''))).toEqual(tables);
    expect(await left(older)).toEqual([0, 0, 0, 0]);
    expect(await left(old)).toEqual([1, 1, 1, 1]);
    expect((await maintain(90)).dropped.length).toBe(tables.length);
    expect(await left(old)).toEqual([0, 0, 0, 0]);
  });

  it('keeps a month with an open run', async () => {
    await makePast(6);
    const [ended, waiting] = [await anOldRun(6), await anOldRun(6, 'queued')];
    const { dropped, left: stayed } = await maintain(90);
    expect(dropped).toEqual([]);
    expect(stayed).toEqual([{ part: expect.stringMatching(/^runs_\d{6}$/), reason: 'a run in it has not ended' }]);
    expect([await left(ended), await left(waiting)]).toEqual([
      [1, 1, 1, 1],
      [1, 1, 1, 1],
    ]);
    await database.set(waiting, `status = 'canceled', completed_at = now()`);
    expect((await maintain(90)).dropped.length).toBe(tables.length);
    expect(await left(waiting)).toEqual([0, 0, 0, 0]);
  });

  it('leaves a locked month for the next call after the lock timeout', async () => {
    await makePast(6);
    const old = await anOldRun(6);
    await inTransaction(database.platform, async (ctx) => {
      await ctx.db.query('select from runs where id = $1', [old]);
      expect(await maintain(90, 50)).toMatchObject({ dropped: [], left: [{ reason: 'the table is in use' }] });
      expect(await left(old)).toEqual([1, 1, 1, 1]);
    });
    expect((await maintain(90)).dropped.length).toBe(tables.length);
  });

  it('works in one process at a time', async () => {
    await makePast(6);
    await anOldRun(6);
    const all = await Promise.all([maintain(90), maintain(90), maintain(90)]);
    expect(all.flatMap(({ dropped }) => dropped).length).toBe(tables.length);
  });
});

describe('maintainRunPartitions with the default partition', () => {
  it('deletes old ended runs page by page', async () => {
    const old = [await anOldRun(30), await anOldRun(31), await anOldRun(32), await anOldRun(33), await anOldRun(34)];
    const waiting = await anOldRun(33, 'queued');
    expect((await maintain(0)).deleted).toBe(0);
    expect((await maintain(90)).deleted).toBe(5);
    for (const id of old) expect(await left(id)).toEqual([0, 0, 0, 0]);
    expect(await left(waiting)).toEqual([1, 1, 1, 1]);
  });
});

describe('deleteExpiredRunRecords', () => {
  it('deletes expired read tokens, group streams and operations', async () => {
    const account = database.ctx.actor.accountId;
    await database.source.query(
      `insert into run_read_tokens (hash, run_id, made_by, expires_at)
       select sha256(n::text::bytea), uuidv7(), '{}', now() + n * interval '1 hour' from unnest(array[-1, 1]) n`,
    );
    await database.source.query(
      `insert into run_operations (id, request_id, account_id, asked_by, action, filter, status, completed_at)
       select uuidv7(), uuidv7(), $1, '{}', 'cancel', '{}', 'succeeded', now() - n * interval '1 day' from unnest(array[91, 89]) n`,
      [account],
    );
    await database.source.query(
      `insert into run_streams (id, account_id, label, used_at)
       select uuidv7(), $1, 'tag ' || n, now() - n * interval '1 hour' from unnest(array[25, 23]) n`,
      [account],
    );
    await database.source.query(`insert into run_stream_runs (stream_id, run_id) select id, uuidv7() from run_streams`);
    expect(await deleteExpiredRunRecords(database.platform, { days: 0, limit: 100 })).toBe(2);
    expect(await deleteExpiredRunRecords(database.platform, { days: 90, limit: 100 })).toBe(1);
    expect(await deleteExpiredRunRecords(database.platform, { days: 90, limit: 100 })).toBe(0);
    for (const table of ['run_read_tokens', 'run_operations', 'run_streams', 'run_stream_runs']) {
      expect([table, await database.rowsIn(table)]).toEqual([table, 1]);
    }
  });
});
