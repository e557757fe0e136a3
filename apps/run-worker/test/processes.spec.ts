import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { jobs } from '@lensforge/contracts';
import { until } from '@lensforge/testing';
import type { WorkerProcess } from './a-process.js';
import { aProcess, build, isAlive } from './a-process.js';
import type { Yard } from './a-worker.js';
import { aYard, script } from './a-worker.js';

// What becomes of runs whose workers die, freeze or lose their queue is in the journeys of lost workers and lost servers.
const impatient = { LENSFORGE_RUN_LEASE_MS: '2000', LENSFORGE_RUN_HEARTBEAT_MS: '400', LENSFORGE_DRAIN_MS: '4000' };

let yard: Yard;
let processes: WorkerProcess[] = [];

beforeAll(async () => {
  await build();
}, 120_000);
beforeEach(async () => {
  yard = await aYard();
});
afterEach(async () => {
  for (const each of processes) each.kill('SIGKILL');
  await Promise.all(processes.map(({ ended }) => ended));
  processes = [];
  await yard.close();
}, 20_000);

async function start(environment: Record<string, string> = {}): Promise<WorkerProcess> {
  const started = await aProcess({ ...yard.environment, ...impatient, ...environment });
  processes.push(started);
  return started;
}

interface Row {
  status: string;
  attempt: number;
  lostAttempts: number;
  worker: string | null;
}

async function row(runId: string): Promise<Row> {
  const [found] = await yard.ctx.db.query<Row[]>(
    'select status, attempt, lost_attempts as "lostAttempts", worker from runs where id = $1',
    [runId],
  );
  if (!found) throw new Error(`no run ${runId}`);
  return found;
}

const running = (runId: string) => until(async () => (await row(runId)).status === 'running');

/** A run as it is after two lost workers. */
async function anIsolatedRun(prompt: string): Promise<string> {
  const runId = await yard.accept(prompt, { post: false });
  await yard.ctx.db.query('delete from outbox');
  await yard.ctx.db.query('update runs set lost_attempts = 2 where id = $1', [runId]);
  await yard.producer.add(jobs.executeIsolatedRun, { runId, generation: 0 }, { id: `${runId}-g0` });
  return runId;
}

describe('a worker that is asked to stop', () => {
  it('lets its runs end, takes no other, and leaves with 0', async () => {
    const worker = await start();
    const runId = await yard.accept(script({ pieces: 5, pieceDelayMs: 200 }));
    await running(runId);
    worker.kill('SIGTERM');
    await until(() => worker.lines.some(({ msg }) => msg === 'stopping'));
    const late = await yard.accept();
    expect(await worker.ended).toBe(0);
    expect(await row(runId)).toMatchObject({ status: 'succeeded', attempt: 1 });
    expect((await row(late)).status).toBe('queued');
  }, 30_000);

  it('gives back what does not end in time, and another goes on with it', async () => {
    const worker = await start({ LENSFORGE_DRAIN_MS: '1500' });
    const runId = await yard.accept(script({ pieces: 4, pieceDelayMs: 1000 }));
    await running(runId);
    worker.kill('SIGTERM');
    expect(await worker.ended).toBe(0);
    expect(await row(runId)).toMatchObject({ status: 'queued', lostAttempts: 0, worker: null });
    await start();
    expect((await yard.ended(runId, 20_000)).status).toBe('succeeded');
    expect((await yard.story(runId)).filter((type) => type === 'run.started')).toHaveLength(2);
  }, 40_000);
});

describe('an isolated run', () => {
  it('is executed in a process of its own, which waits for the next one and leaves with its worker', async () => {
    const worker = await start();
    expect(worker.children()).toEqual([]);
    const first = await anIsolatedRun('Greet Ada');
    expect((await yard.ended(first, 20_000)).status).toBe('succeeded');
    const [cell] = worker.children();
    // Its end stands in the book a moment before its process is free again, so one of the next may get another.
    const names = ['Ben', 'Cleo', 'Dan', 'Eve'];
    for (const name of names) {
      expect((await yard.ended(await anIsolatedRun(`Greet ${name}`), 20_000)).status).toBe('succeeded');
    }
    expect(worker.children()).toContain(cell);
    expect(worker.children().length).toBeLessThan(names.length);
    worker.kill('SIGTERM');
    expect(await worker.ended).toBe(0);
    expect(isAlive(cell ?? 0)).toBe(false);
  }, 60_000);

  it('takes only itself down, and its worker does not wait for the lease', async () => {
    const worker = await start({ LENSFORGE_OFFLINE_EXIT: 'true', LENSFORGE_RUN_LEASE_MS: '60000' });
    const innocent = await yard.accept(script({ pieces: 30, pieceDelayMs: 100 }));
    const poison = await anIsolatedRun(script({ exit: true }));
    expect(await yard.ended(poison, 30_000)).toMatchObject({ status: 'failed', errorCode: 'WORKER_LOST' });
    expect(await yard.ended(innocent, 30_000)).toMatchObject({ status: 'succeeded' });
    expect(await row(innocent)).toMatchObject({ attempt: 1, lostAttempts: 0 });
    expect(isAlive(worker.pid)).toBe(true);
  }, 60_000);

  it('is canceled like any other', async () => {
    await start();
    const runId = await anIsolatedRun(script({ hang: true }));
    await until(async () => (await row(runId)).status === 'running');
    await yard.ctx.db.query('update runs set cancel_requested_at = now() where id = $1', [runId]);
    expect((await yard.ended(runId, 10_000)).status).toBe('canceled');
  }, 60_000);

  it('goes on when its worker dies, and its process leaves afterwards', async () => {
    const worker = await start();
    const runId = await anIsolatedRun(script({ pieces: 4, pieceDelayMs: 300 }));
    await until(async () => (await row(runId)).status === 'running');
    const [cell = 0] = worker.children();
    worker.kill('SIGKILL');
    expect((await yard.ended(runId, 20_000)).status).toBe('succeeded');
    expect(await row(runId)).toMatchObject({ attempt: 1, lostAttempts: 2 });
    await until(() => !isAlive(cell), { what: 'the end of the process' });
  }, 60_000);

  it('is taken from a process that is frozen, which was the last one that it gets', async () => {
    const worker = await start();
    const runId = await anIsolatedRun(script({ pieces: 2, pieceDelayMs: 1500 }));
    await until(async () => (await row(runId)).status === 'running');
    const [cell = 0] = worker.children();
    process.kill(cell, 'SIGSTOP');
    expect(await yard.ended(runId, 30_000)).toMatchObject({ status: 'failed', errorCode: 'WORKER_LOST' });
    await until(() => !isAlive(cell), { what: 'the end of the frozen process' });
  }, 60_000);
});
