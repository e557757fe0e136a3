import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jobs } from '@lensforge/contracts';
import { newId } from '@lensforge/core';
import { LostJobs } from '../src/maintenance/lost-jobs.js';
import type { WorkerSetup } from './worker-setup.js';
import { aWorkerSetup } from './worker-setup.js';

describe('lost jobs', () => {
  let setup: WorkerSetup;
  beforeAll(async () => {
    setup = await aWorkerSetup();
  });
  afterAll(() => setup.close());

  it('are looked for at once by a worker that starts, and soon enough afterwards, also when none seems to be missing', async () => {
    let seconds = 0;
    const { ctx, redis } = setup;
    const lostJobs = new LostJobs({ ctx, redis, prefix: `{${setup.prefix}}`, now: () => seconds * 1000 });
    const aLostOne = async (): Promise<void> => {
      const runId = await setup.accept(undefined, { post: false });
      await ctx.db.query('delete from outbox where job_id = $1', [`${runId}-g0`]);
      await ctx.db.query(`update runs set queued_at = now() - interval '1 minute' where id = $1`, [runId]);
      // The number of jobs is right: this one stands in for the one that is missing.
      const runOfNobody = newId();
      await setup.producer.add(jobs.executeRun, { runId: runOfNobody, generation: 0 }, { id: `${runOfNobody}-g0` });
    };

    await aLostOne();
    expect(await lostJobs.restore()).toBe(1);
    await aLostOne();
    seconds = 14;
    expect(await lostJobs.restore()).toBe(0);
    seconds = 16;
    expect(await lostJobs.restore()).toBe(1);
  });
});
