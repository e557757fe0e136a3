import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import type { RunsDatabase } from '../../test/runs-database.js';
import { openRunsDatabase } from '../../test/runs-database.js';
import { deleteExpiredRunRecords, maintainRunPartitions } from '../index.js';

let books: RunsDatabase;
beforeAll(async () => {
  books = await openRunsDatabase();
  const rows = await books.source.query<{ name: string }[]>('select name from tables_by_month() name');
  tables = rows.map(({ name }) => name);
  expect(tables).toEqual(expect.arrayContaining(['runs', 'run_events', 'run_artifacts', 'run_labels']));
});
afterAll(() => books.close());

const tend = (days: number, lockMs = 2000) => maintainRunPartitions(books.platform, { days, lockMs, page: 2 });
let tables: string[];

/** A run of so many months ago, in the part of its month if there is one, with what it leaves. */
async function anOldRun(months: number, status: 'queued' | 'succeeded' = 'succeeded'): Promise<string> {
  const [{ id }] = await books.source.query<[{ id: string }]>(
    `insert into runs (id, request_id, account_id, kind, lens_id, status, params, model_id, deadline_at, completed_at, created_at, last_sequence, tags)
     select uuidv7($1::int * interval '-1 month'), uuidv7(), $2, 'lens', uuidv7(), $3, '{}', m.id, now(), case $3 when 'succeeded' then now() end,
            now() - $1::int * interval '1 month', 1, '{old}' from models m where m.is_default returning id`,
    [months, books.ctx.actor.accountId, status],
  );
  await books.source.query(`insert into run_events (run_id, sequence, type, payload) values ($1, 1, 'log', '{}')`, [
    id,
  ]);
  await books.source.query(
    `insert into run_artifacts (id, run_id, kind, content_text, is_primary_output, visibility) values ($1, $2, 'text', 'x', true, 'private')`,
    [newId(), id],
  );
  return id;
}

const makePast = (months: number) =>
  books.source.query(`select make_run_partitions(now() - $1::int * interval '1 month', -1)`, [months - 1]);
const left = async (id: string): Promise<number[]> =>
  Promise.all(
    ['runs where id', 'run_events where run_id', 'run_artifacts where run_id', 'run_labels where run_id'].map(
      async (place) => {
        const [{ count }] = await books.source.query<[{ count: number }]>(
          `select count(*)::int as count from ${place} = $1`,
          [id],
        );
        return count;
      },
    ),
  );
const partsOf = async (table: string): Promise<string[]> =>
  (
    await books.source.query<{ part: string }[]>(
      'select inhrelid::regclass::text as part from pg_inherits where inhparent = to_regclass($1) order by 1',
      [table],
    )
  ).map(({ part }) => part);

describe('the months in which runs are kept', () => {
  it('are made ahead of time, for every table that is kept by the month', async () => {
    const before = await Promise.all(tables.map(partsOf));
    for (const parts of before) expect(parts.length).toBeGreaterThanOrEqual(6);
    const last = before.map((parts) => parts.filter((part) => /\d{6}$/.test(part)).at(-1) ?? '');
    for (const part of last) await books.source.query(`drop table ${part}`);
    expect((await tend(90)).made.toSorted()).toEqual(last.toSorted());
    expect(await Promise.all(tables.map(partsOf))).toEqual(before);
    expect(await tend(90)).toEqual({ made: [], dropped: [], deleted: 0, left: [] });
  });

  it('are dropped with all that their runs have left once nobody has to keep them', async () => {
    await makePast(8);
    await makePast(7);
    const [older, old] = [await anOldRun(8), await anOldRun(7)];
    expect((await partsOf('runs')).length).toBeGreaterThanOrEqual(8);
    expect((await tend(0)).dropped).toEqual([]);
    const [{ days }] = await books.source.query<[{ days: number }]>(
      `select extract(day from now() - (date_trunc('month', now(), 'UTC') - interval '7 months'))::int as days`,
    );
    expect((await tend(days)).dropped.map((part) => part.replace(/_\d+$/, ''))).toEqual(tables);
    expect(await left(older)).toEqual([0, 0, 0, 0]);
    expect(await left(old)).toEqual([1, 1, 1, 1]);
    expect((await tend(90)).dropped.length).toBe(tables.length);
    expect(await left(old)).toEqual([0, 0, 0, 0]);
  });

  it('stay while a run in them has not ended', async () => {
    await makePast(6);
    const [ended, waiting] = [await anOldRun(6), await anOldRun(6, 'queued')];
    const { dropped, left: stayed } = await tend(90);
    expect(dropped).toEqual([]);
    expect(stayed).toEqual([{ part: expect.stringMatching(/^runs_\d{6}$/), reason: 'a run in it has not ended' }]);
    expect([await left(ended), await left(waiting)]).toEqual([
      [1, 1, 1, 1],
      [1, 1, 1, 1],
    ]);
    await books.set(waiting, `status = 'canceled', completed_at = now()`);
    expect((await tend(90)).dropped.length).toBe(tables.length);
    expect(await left(waiting)).toEqual([0, 0, 0, 0]);
  });

  it('are left for another time when they are in use, and nobody waits for long', async () => {
    await makePast(6);
    const old = await anOldRun(6);
    await inTransaction(books.platform, async (ctx) => {
      await ctx.db.query('select from runs where id = $1', [old]);
      expect(await tend(90, 50)).toMatchObject({ dropped: [], left: [{ reason: 'it is in use' }] });
      expect(await left(old)).toEqual([1, 1, 1, 1]);
    });
    expect((await tend(90)).dropped.length).toBe(tables.length);
  });

  it('are tended by one process at a time', async () => {
    await makePast(6);
    await anOldRun(6);
    const all = await Promise.all([tend(90), tend(90), tend(90)]);
    expect(all.flatMap(({ dropped }) => dropped).length).toBe(tables.length);
  });
});

describe('runs of no month', () => {
  it('are deleted page by page when they are old and have ended', async () => {
    const old = [await anOldRun(30), await anOldRun(31), await anOldRun(32), await anOldRun(33), await anOldRun(34)];
    const waiting = await anOldRun(33, 'queued');
    expect((await tend(0)).deleted).toBe(0);
    expect((await tend(90)).deleted).toBe(5);
    for (const id of old) expect(await left(id)).toEqual([0, 0, 0, 0]);
    expect(await left(waiting)).toEqual([1, 1, 1, 1]);
  });
});

describe('what is noted beside runs', () => {
  it('is forgotten when it has served its time', async () => {
    const account = books.ctx.actor.accountId;
    await books.source.query(
      `insert into run_read_tokens (hash, run_id, made_by, expires_at)
       select sha256(n::text::bytea), uuidv7(), '{}', now() + n * interval '1 hour' from unnest(array[-1, 1]) n`,
    );
    await books.source.query(
      `insert into run_operations (id, request_id, account_id, asked_by, action, filter, status, completed_at)
       select uuidv7(), uuidv7(), $1, '{}', 'cancel', '{}', 'succeeded', now() - n * interval '1 day' from unnest(array[91, 89]) n`,
      [account],
    );
    await books.source.query(
      `insert into run_streams (id, account_id, label, used_at)
       select uuidv7(), $1, 'tag ' || n, now() - n * interval '1 hour' from unnest(array[25, 23]) n`,
      [account],
    );
    await books.source.query(`insert into run_stream_places (stream_id, run_id) select id, uuidv7() from run_streams`);
    expect(await deleteExpiredRunRecords(books.platform, { days: 0, limit: 100 })).toBe(2);
    expect(await deleteExpiredRunRecords(books.platform, { days: 90, limit: 100 })).toBe(1);
    expect(await deleteExpiredRunRecords(books.platform, { days: 90, limit: 100 })).toBe(0);
    for (const table of ['run_read_tokens', 'run_operations', 'run_streams', 'run_stream_places']) {
      expect([table, await books.rowsIn(table)]).toEqual([table, 1]);
    }
  });
});
