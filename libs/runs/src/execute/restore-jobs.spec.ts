import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@lensforge/core';
import { deleteFromOutbox } from '@lensforge/database';
import { type RunsDatabase, openRunsDatabase } from '../../test/runs-database.js';
import { countQueuedRuns, deleteExpiredKeys, queuedRuns, requeueRun, restoreJobs } from '../index.js';
import { Run } from '../run.entity.js';
import { aRun } from '../testing.js';

let database: RunsDatabase;

beforeAll(async () => {
  database = await openRunsDatabase();
});
afterEach(async () => {
  expect(await database.faults()).toEqual([]);
  await database.source.query(
    `update runs set status = 'canceled', completed_at = now(), lease_until = null where completed_at is null`,
  );
  await database.source.query('delete from outbox');
});
afterAll(() => database.close());

const load = (id: string) => database.source.manager.findOneByOrFail(Run, { id });
const oldRun = async () => {
  const { runId } = await aRun(database.ctx);
  await database.set(runId, `queued_at = now() - interval '10 s'`);
  return runId;
};
const queued = (more: object = {}) =>
  queuedRuns(database.platform, { after: null, olderThanMs: 3000, limit: 100, ...more });
const restore = (runs: readonly { id: string; generation: number }[]) => restoreJobs(database.platform, runs);
const strike = async (runId: string) => {
  const rows = await database.source.query<{ id: string }[]>(`select id from outbox where payload ->> 'runId' = $1`, [
    runId,
  ]);
  await deleteFromOutbox(
    database.source.manager,
    rows.map(({ id }) => id),
  );
};

describe('queuedRuns', () => {
  it('lists runs that should have a job, in pages, each once', async () => {
    const ids = [];
    for (let count = 0; count < 5; count += 1) ids.push(await oldRun());
    await aRun(database.ctx);
    await database.aClaimedRun();
    const pages = [];
    for (let after: string | null = null; pages.length < 5;) {
      const page = await queued({ after, limit: 2 });
      pages.push(page.map(({ id }) => id));
      if (page.length < 2) break;
      after = page.at(-1)?.id ?? null;
    }
    expect(pages.map(({ length }) => length)).toEqual([2, 2, 1]);
    expect(pages.flat()).toEqual(ids);
    const [first] = await queued();
    expect(first).toEqual({ id: ids[0], generation: 0, jobId: `${ids[0]}-g0`, isolated: false });
  });

  it('and countQueuedRuns leave out younger runs and those that have started', async () => {
    const count = () => countQueuedRuns(database.platform, { olderThanMs: 3000 });
    expect(await count()).toBe(0);
    await oldRun();
    await aRun(database.ctx);
    await database.aClaimedRun();
    expect(await count()).toBe(1);
  });
});

describe('restoreJobs', () => {
  it('writes a job with a new generation, which makes the lost one a no-op', async () => {
    const id = await oldRun();
    await strike(id);
    expect(await restore(await queued())).toBe(1);
    expect(await load(id)).toMatchObject({ status: 'queued', generation: 1, lostAttempts: 0, lastSequence: 1 });
    expect(await database.outboxOf(id)).toEqual([
      { job: 'run.execute', jobId: `${id}-g1`, payload: { runId: id, generation: 1 } },
    ]);
  });

  it('queues a run that lost two workers for isolated execution', async () => {
    const id = await oldRun();
    await strike(id);
    await database.set(id, 'lost_attempts = 2');
    const [run] = await queued();
    expect(run?.isolated).toBe(true);
    await restore([run!]);
    expect(await database.outboxOf(id)).toEqual([expect.objectContaining({ job: 'run.execute-isolated' })]);
  });

  it('ignores a run whose job is still in the outbox, due or not', async () => {
    await oldRun();
    const run = await database.aClaimedRun();
    await requeueRun(database.platform, { runId: run.id, attempt: 1, reason: 'busy', lost: false, delayMs: 60_000 });
    await database.set(run.id, `queued_at = now() - interval '10 s'`);
    const runs = await queued();
    expect(runs).toHaveLength(2);
    expect(await restore(runs)).toBe(0);
  });

  it('writes one job for concurrent calls', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, oldRun));
    await database.source.query('delete from outbox');
    const runs = await queued();
    const counts = await Promise.all(Array.from({ length: 6 }, () => restore([...runs, ...runs])));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(20);
    for (const id of ids) expect((await load(id)).generation).toBe(1);
  });

  it('ignores runs that have moved on or do not exist', async () => {
    const id = await oldRun();
    await strike(id);
    const [run] = await queued();
    await database.set(id, 'generation = 4');
    expect(await restore([run!, { id: newId(), generation: 0 }])).toBe(0);
    expect(await restore([])).toBe(0);
    expect(
      await restore([
        { id, generation: 3 },
        { id, generation: 4 },
      ]),
    ).toBe(1);
    expect(await database.outboxOf(id)).toHaveLength(1);
  });
});

describe('deleteExpiredKeys', () => {
  it('deletes expired idempotency keys up to the limit', async () => {
    for (let count = 0; count < 5; count += 1) await aRun(database.ctx, { idempotencyKey: `k${count}` });
    await database.source.query(`update idempotency_keys set expires_at = now() - interval '1 s' where key <> 'k4'`);
    expect(await deleteExpiredKeys(database.platform, { limit: 3 })).toBe(3);
    expect(await deleteExpiredKeys(database.platform, { limit: 3 })).toBe(1);
    expect(await deleteExpiredKeys(database.platform, { limit: 3 })).toBe(0);
    expect(await database.source.query('select key from idempotency_keys')).toEqual([{ key: 'k4' }]);
  });
});
