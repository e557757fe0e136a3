import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jobs } from '@lensforge/contracts';
import { newId } from '@lensforge/core';
import { until } from '@lensforge/testing';
import { LostJobs } from '../src/maintenance/lost-jobs.js';
import { type WorkerSetup, aWorkerSetup } from './worker-setup.js';

describe('LostJobs', () => {
  let setup: WorkerSetup;
  beforeAll(async () => {
    setup = await aWorkerSetup();
  });
  afterAll(() => setup.close());

  it('looks for lost jobs at the start of a worker and every 15 seconds, also when none seems to be missing', async () => {
    let seconds = 0;
    const { ctx, redis } = setup;
    const lostJobs = new LostJobs({ ctx, redis, prefix: `{${setup.prefix}}`, now: () => seconds * 1000 });
    const loseJob = async (): Promise<void> => {
      const runId = await setup.accept(undefined, { enqueue: false });
      await ctx.db.query('delete from outbox where job_id = $1', [`${runId}-g0`]);
      await ctx.db.query(`update runs set queued_at = now() - interval '1 minute' where id = $1`, [runId]);
      // This job keeps the number of jobs right, so that none seems to be missing.
      const unknownRunId = newId();
      await setup.producer.add(jobs.executeRun, { runId: unknownRunId, generation: 0 }, { id: `${unknownRunId}-g0` });
    };

    await loseJob();
    expect(await lostJobs.restore()).toBe(1);
    await loseJob();
    seconds = 14;
    expect(await lostJobs.restore()).toBe(0);
    seconds = 16;
    expect(await lostJobs.restore()).toBe(1);
  });

  it('restores a job that a worker took from the list and lost', async () => {
    const { ctx, redis, prefix } = setup;
    const keyOf = (kind: string) => `{${prefix}}:runs:${kind}`;
    await setup.deleteJobs();
    await redis.hset(keyOf('places'), 'a dead worker', `1,0,${Date.now() + 60_000}`);
    const runId = await setup.accept();
    const outbox = () => ctx.db.query<unknown[]>('select from outbox where job_id = $1', [`${runId}-g0`]);
    await until(async () => (await outbox()).length === 0);
    await ctx.db.query(`update runs set queued_at = now() - interval '4 seconds' where id = $1`, [runId]);
    const restored = () => new LostJobs({ ctx, redis, prefix: `{${prefix}}`, now: () => 0 }).restore();
    expect(await restored()).toBe(0);
    expect(await redis.lpop(keyOf('direct'))).toContain(runId);
    await redis.del(keyOf('places'));
    expect(await restored()).toBe(1);
    await setup.start();
    expect(await setup.ended(runId)).toMatchObject({ status: 'succeeded' });
  });
});
