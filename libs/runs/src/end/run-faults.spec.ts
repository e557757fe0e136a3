import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@lensforge/core';
import { type RunsDatabase, openRunsDatabase } from '../../test/runs-database.js';
import { cancelRun, finishRuns, runFaults } from '../index.js';
import { aFinish, aRun } from '../testing.js';

let database: RunsDatabase;
beforeAll(async () => {
  database = await openRunsDatabase();
});
afterAll(() => database.close());

const faults = () => runFaults(database.platform, { lateMs: 60_000, latest: 100 });
const none = { stuck: 0, unsettled: 0, brokenEvents: 0, unsent: 0 };
const longAgo = `now() - interval '2 minutes'`;

async function anEndedRun(): Promise<string> {
  const run = await database.aClaimedRun();
  await finishRuns(database.platform, [aFinish(run)]);
  return run.id;
}

describe('runFaults', () => {
  it('counts nothing while runs wait, execute and end normally', async () => {
    const { runId } = await aRun(database.ctx);
    await database.aClaimedRun();
    await anEndedRun();
    await cancelRun(database.ctx, runId);
    expect(await faults()).toEqual(none);
  });

  it('counts runs that are long past their deadline or lease', async () => {
    const { runId } = await aRun(database.ctx);
    const { id: lost } = await database.aClaimedRun();
    await database.set(runId, `deadline_at = now() - interval '10 seconds'`);
    expect(await faults()).toEqual(none);
    await database.set(runId, `deadline_at = ${longAgo}`);
    await database.set(lost, `lease_until = ${longAgo}`);
    expect(await faults()).toEqual({ ...none, stuck: 2 });
    for (const id of [runId, lost])
      await database.set(
        id,
        `deadline_at = now() + interval '1 hour', lease_until = null,
      status = case when status = 'running' then 'queued' else status end`,
      );
    expect(await faults()).toEqual(none);
  });

  it('counts ended runs whose credits are still held', async () => {
    const runId = await anEndedRun();
    await database.set(runId, `billing_status = 'reserved'`);
    expect(await faults()).toEqual({ ...none, unsettled: 1 });
    await database.set(runId, `billing_status = 'none'`);
  });

  it.each([
    ['an event is missing', 'delete from run_events where run_id = $1 and sequence = 2'],
    ['there is an extra event', `insert into run_events values ($1, 4, 'log', '{}')`],
    ['there are two terminal events', `update run_events set type = 'run.failed' where run_id = $1 and sequence = 2`],
    [
      'the terminal event has another type',
      `update run_events set type = 'run.failed' where run_id = $1 and sequence = 3`,
    ],
    ['there are no events', 'delete from run_events where run_id = $1'],
  ])('counts a run with broken events: %s', async (_, corrupt) => {
    const runId = await anEndedRun();
    expect(await faults()).toEqual(none);
    await database.source.query(corrupt, [runId]);
    expect(await faults()).toEqual({ ...none, brokenEvents: 1 });
    await database.source.query('delete from run_events where run_id = $1', [runId]);
    await database.source.query('delete from runs where id = $1', [runId]);
  });

  it('counts jobs that stay in the outbox', async () => {
    const id = newId();
    await database.source.query(
      `insert into outbox (id, job, job_id, payload, available_at) values ($1, 'run.execute', 'x-g0', '{}', ${longAgo})`,
      [id],
    );
    expect(await faults()).toEqual({ ...none, unsent: 1 });
    await database.source.query('delete from outbox where id = $1', [id]);
  });
});
