import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@lensforge/core';
import type { RunsDatabase } from '../../test/runs-database.js';
import { openRunsDatabase } from '../../test/runs-database.js';
import { cancelRun, finishRuns, runFaults } from '../index.js';
import { aRun } from '../testing.js';

let books: RunsDatabase;
beforeAll(async () => {
  books = await openRunsDatabase();
});
afterAll(() => books.close());

const faults = () => runFaults(books.platform, { lateMs: 60_000, latest: 100 });
const none = { stuck: 0, unsettled: 0, brokenEvents: 0, unsent: 0 };
const longAgo = `now() - interval '2 minutes'`;

async function anEndedRun(): Promise<string> {
  const run = await books.aClaimedRun();
  await finishRuns(books.platform, [
    {
      ...{ runId: run.id, accountId: run.accountId, workflowId: null, attempt: run.attempt, events: [], artifacts: [] },
      ...{ tokenInput: 1, tokenOutput: 1, hold: 0, cost: 0, failure: null },
    },
  ]);
  return run.id;
}

describe('the faults of runs', () => {
  it('are none while runs wait, go on and end as they should', async () => {
    const { runId } = await aRun(books.ctx);
    await books.aClaimedRun();
    await anEndedRun();
    await cancelRun(books.ctx, runId);
    expect(await faults()).toEqual(none);
  });

  it('are runs that nobody ends', async () => {
    const { runId } = await aRun(books.ctx);
    const { id: lost } = await books.aClaimedRun();
    await books.set(runId, `deadline_at = now() - interval '10 seconds'`);
    expect(await faults()).toEqual(none);
    await books.set(runId, `deadline_at = ${longAgo}`);
    await books.set(lost, `lease_until = ${longAgo}`);
    expect(await faults()).toEqual({ ...none, stuck: 2 });
    for (const id of [runId, lost])
      await books.set(
        id,
        `deadline_at = now() + interval '1 hour', lease_until = null,
      status = case when status = 'running' then 'queued' else status end`,
      );
    expect(await faults()).toEqual(none);
  });

  it('are credits that are still held after the end', async () => {
    const runId = await anEndedRun();
    await books.set(runId, `billing_status = 'reserved'`);
    expect(await faults()).toEqual({ ...none, unsettled: 1 });
    await books.set(runId, `billing_status = 'none'`);
  });

  it.each([
    ['an event is missing', 'delete from run_events where run_id = $1 and sequence = 2'],
    ['there is one too many', `insert into run_events values ($1, 4, 'log', '{}')`],
    ['the end is told twice', `update run_events set type = 'run.failed' where run_id = $1 and sequence = 2`],
    ['another end is told', `update run_events set type = 'run.failed' where run_id = $1 and sequence = 3`],
    ['nothing is told', 'delete from run_events where run_id = $1'],
  ])('are streams that do not hold: %s', async (_, spoil) => {
    const runId = await anEndedRun();
    expect(await faults()).toEqual(none);
    await books.source.query(spoil, [runId]);
    expect(await faults()).toEqual({ ...none, brokenEvents: 1 });
    await books.source.query('delete from run_events where run_id = $1', [runId]);
    await books.source.query('delete from runs where id = $1', [runId]);
  });

  it('are jobs that nobody hands over', async () => {
    const id = newId();
    await books.source.query(
      `insert into outbox (id, job, job_id, payload, available_at) values ($1, 'run.execute', 'x-g0', '{}', ${longAgo})`,
      [id],
    );
    expect(await faults()).toEqual({ ...none, unsent: 1 });
    await books.source.query('delete from outbox where id = $1', [id]);
  });
});
