import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Context, newId } from '@lensforge/core';
import { type RunsDatabase, openRunsDatabase } from '../../test/runs-database.js';
import {
  type RunStream,
  type StreamedEvent,
  advanceRunStream,
  countEndedRunsOfStream,
  firstPositionOfRunStream,
  openRunStream,
  readRunStream,
} from '../index.js';
import { aStoredRun } from '../testing.js';

let database: RunsDatabase;
let ctx: Context;
beforeAll(async () => {
  database = await openRunsDatabase();
  ctx = await database.anAccount();
});
afterAll(() => database.close());

const advance = (stream: RunStream) => advanceRunStream(database.platform, stream.id);
const nameOf = ({ position, event }: StreamedEvent): string => `${position} ${event.runId.slice(-4)}/${event.sequence}`;

async function all(stream: RunStream, after = 0, most = 1000): Promise<StreamedEvent[]> {
  const events: StreamedEvent[] = [];
  const { position = 0 } = (await advance(stream)) ?? {};
  for (let at = after; at < position; at += most)
    events.push(...(await readRunStream(ctx, stream.id, { after: at, limit: most })));
  return events;
}

/** Adds events to a run in one commit. */
async function more(runId: string, count = 1, change = ''): Promise<void> {
  await database.source.query(
    `with moved as (update runs set last_sequence = last_sequence + $2::int ${change} where id = $1 returning last_sequence)
     insert into run_events (run_id, sequence, type, payload)
     select $1, last_sequence - $2::int + n, 'log', '{"level": "info", "message": "x"}' from moved, generate_series(1, $2::int) n`,
    [runId, count],
  );
}
const ends = `, status = 'canceled', completed_at = now()`;

/** Expects the events of each run from 1 without a gap, and each position once and in order. */
function expectComplete(events: readonly StreamedEvent[], perRun: ReadonlyMap<string, number>): void {
  const seen = new Map<string, number>();
  for (const [index, { position, event }] of events.entries()) {
    expect(position).toBe(index + 1);
    expect(event.sequence).toBe((seen.get(event.runId) ?? 0) + 1);
    seen.set(event.runId, event.sequence);
  }
  expect(seen).toEqual(perRun);
}

describe('the stream of a batch', () => {
  it('contains every event of its runs once, in the order of each run, at any time of commit', async () => {
    const batchId = newId();
    const runs = await Promise.all([1, 2, 3].map(() => aStoredRun(ctx, { batchId })));
    const stream = await openRunStream(ctx, { batchId });
    expect(stream).toMatchObject({ endless: false, kinds: ['lens', 'workflow', 'prompt', 'judging'] });
    expect(await advance(stream)).toEqual({ position: 3, ended: false });
    await more(runs[1]!, 4);
    await more(runs[0]!);
    await advance(stream);
    await more(runs[1]!, 2);
    expect(await advance(stream)).toEqual({ position: 10, ended: false });
    for (const run of runs) await more(run, 1, ends);
    expect(await advance(stream)).toEqual({ position: 13, ended: true });
    expectComplete(
      await all(stream),
      new Map([
        [runs[0]!, 3],
        [runs[1]!, 8],
        [runs[2]!, 2],
      ]),
    );
    expect(await countEndedRunsOfStream(ctx, stream.id)).toEqual({ canceled: 3 });
    expect(await advance(stream)).toEqual({ position: 13, ended: true });
  });

  it('is the same from any position and in pages of any size', async () => {
    const batchId = newId();
    const runs = await Promise.all([1, 2, 3, 4].map(() => aStoredRun(ctx, { batchId })));
    const stream = await openRunStream(ctx, { batchId });
    for (let n = 0; n < 12; n += 1) {
      await more(runs[n % 4]!, 1 + (n % 3));
      if (n % 2) await advance(stream);
    }
    const whole = (await all(stream)).map(nameOf);
    expect(whole.length).toBe(28);
    for (const most of [1, 3, 7, 28, 500]) expect((await all(stream, 0, most)).map(nameOf)).toEqual(whole);
    for (const after of [1, 5, 13, 27, 28])
      expect((await all(stream, after, 4)).map(nameOf)).toEqual(whole.slice(after));
  });

  it('is shared by all callers and loses nothing in concurrent calls', async () => {
    const batchId = newId();
    const runs = await Promise.all(Array.from({ length: 8 }, () => aStoredRun(ctx, { batchId })));
    const [stream, same] = await Promise.all([
      openRunStream(ctx, { batchId }),
      openRunStream(ctx, { batchId: batchId.toUpperCase() }),
    ]);
    expect(same.id).toBe(stream.id);
    const writing = runs.map(async (run) => {
      for (let n = 0; n < 10; n += 1) await more(run, 1 + (n % 2), n === 9 ? ends : '');
    });
    let writers = writing.length;
    for (const one of writing) void one.then(() => (writers -= 1));
    await Promise.all(
      [1, 2, 3].map(async () => {
        while (writers > 0) await advance(stream);
      }),
    );
    await Promise.all(writing);
    expectComplete(await all(stream), new Map(runs.map((run) => [run, 16])));
    expect(await advance(stream)).toEqual({ position: 128, ended: true });
  });

  it('has not ended while another process reads it for the first time', async () => {
    const batchId = newId();
    const run = await aStoredRun(ctx, { batchId });
    await more(run, 1, ends);
    const stream = await openRunStream(ctx, { batchId });
    const other = database.source.createQueryRunner();
    await other.connect();
    await other.startTransaction();
    await advanceRunStream({ ...database.platform, db: other.manager }, stream.id);
    expect(await advance(stream)).toEqual({ position: 0, ended: false });
    await other.commitTransaction();
    await other.release();
    expect(await advance(stream)).toEqual({ position: 2, ended: true });
  });

  it('is not found by other accounts, nor for an unknown batch', async () => {
    const batchId = newId();
    await aStoredRun(ctx, { batchId });
    await expect(openRunStream(await database.anAccount(), { batchId })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(openRunStream(ctx, { batchId: newId() })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(openRunStream(ctx, {})).rejects.toMatchObject({ code: 'BAD_INPUT' });
    await expect(openRunStream(ctx, { batchId, tag: 'x' })).rejects.toMatchObject({ code: 'BAD_INPUT' });
  });
});

describe('the stream of a tag', () => {
  it('gets later runs, including one whose transaction began earlier', async () => {
    const stream = await openRunStream(ctx, { tag: 'x y' });
    expect(stream.endless).toBe(true);
    expect(await advance(stream)).toEqual({ position: 0, ended: true });
    const early = database.source.createQueryRunner();
    await early.connect();
    await early.startTransaction();
    const slow = await aStoredRun({ ...ctx, db: early.manager }, { tags: ['x y'] });
    const quick = await aStoredRun(ctx, { tags: ['x y', 'other'], status: 'succeeded' });
    await aStoredRun(ctx, { tags: ['x'] });
    await aStoredRun(await database.anAccount(), { tags: ['x y'] });
    expect(await advance(stream)).toMatchObject({ position: 1 });
    expect(await advance(stream)).toMatchObject({ position: 1 });
    await early.commitTransaction();
    await early.release();
    expect((await all(stream)).map(({ event }) => event.runId)).toEqual([quick, slow]);
    await more(slow, 2);
    expect(await advance(stream)).toEqual({ position: 4, ended: false });
  });

  it('begins with open runs and those of the last day', async () => {
    const old = async (status: string, waits: boolean): Promise<string> => {
      const [{ id }] = await database.source.query<[{ id: string }]>(
        `insert into runs (id, request_id, account_id, kind, lens_id, status, params, model_id, deadline_at, completed_at, tags, last_sequence, admitted_at, waits_for)
         select uuidv7(interval '-2 days'), uuidv7(), $1, 'lens', uuidv7(), $2, '{}', id, now(), case $2 when 'failed' then now() end, '{days}', 1,
                case when not $3 then now() end, case when $3 then 'time' end from models where is_default returning id`,
        [ctx.actor.accountId, status, waits],
      );
      await database.source.query(
        `insert into run_events (run_id, sequence, type, payload) values ($1, 1, 'log', '{}')`,
        [id],
      );
      return id;
    };
    await old('failed', false);
    const runs = [
      await old('queued', false),
      await old('queued', true),
      await aStoredRun(ctx, { tags: ['days'], status: 'failed' }),
    ];
    const stream = await openRunStream(ctx, { tag: 'days' });
    const events = await all(stream);
    expect(events.map(({ event }) => event.runId).toSorted()).toEqual(runs.toSorted());
    expect(await firstPositionOfRunStream(ctx, stream)).toBe(0);
    await database.source.query(
      `update run_stream_ranges set written_at = now() - interval '2 days' where stream_id = $1 and position < 3`,
      [stream.id],
    );
    expect(await firstPositionOfRunStream(ctx, stream)).toBe(2);
    await database.source.query(`delete from run_stream_ranges where stream_id = $1`, [stream.id]);
    expect(await firstPositionOfRunStream(ctx, stream)).toBe(3);
  });

  it('continues when some of its runs were deleted', async () => {
    const run = await aStoredRun(ctx, { tags: ['gone'] });
    const stream = await openRunStream(ctx, { tag: 'gone' });
    await advance(stream);
    await database.source.query('delete from runs where id = $1', [run]);
    expect(await advance(stream)).toEqual({ position: 1, ended: true });
    expect(await readRunStream(ctx, stream.id, { after: 0, limit: 10 })).toEqual([]);
    expect(await advanceRunStream(database.platform, newId())).toBeUndefined();
  });
});
