import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { jobs } from '@lensforge/contracts';
import { acceptWorkflowRun, cancelRun } from '@lensforge/runs';
import { aPromptRun } from '@lensforge/runs/testing';
import { until } from '@lensforge/testing';
import { aWorkflow } from '@lensforge/workflows/testing';
import { type WorkerProcess, aProcess, build, isAlive } from './worker-process.js';
import { type WorkerSetup, aWorkerSetup, script } from './worker-setup.js';

// The journeys of lost workers and lost servers test workers that die, freeze or lose their queue.
// Processes start several times in a test.
let setup: WorkerSetup;
let processes: WorkerProcess[] = [];

beforeAll(async () => {
  await build();
  setup = await aWorkerSetup();
});
afterAll(() => setup.close());

async function start(environment: Record<string, string> = {}): Promise<WorkerProcess> {
  const started = await aProcess({ ...setup.environment, ...environment });
  processes.push(started);
  return started;
}

async function endAll(): Promise<void> {
  for (const each of processes) each.kill('SIGKILL');
  await Promise.all(processes.map(({ ended }) => ended));
  processes = [];
  await setup.deleteJobs();
}

interface Row {
  status: string;
  attempt: number;
  lostAttempts: number;
  worker: string | null;
}

async function row(runId: string): Promise<Row> {
  const [found] = await setup.ctx.db.query<Row[]>(
    'select status, attempt, lost_attempts as "lostAttempts", worker from runs where id = $1',
    [runId],
  );
  if (!found) throw new Error(`no run ${runId}`);
  return found;
}

/** The exit code, and the last log lines unless it is 0. */
async function exitOf({ ended, lines }: WorkerProcess): Promise<unknown[]> {
  const code = await ended;
  return code === 0 ? [code] : [code, ...lines.slice(-8)];
}

/** The processor time that a process has used. */
function cpuMsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

const running = (runId: string) => until(async () => (await row(runId)).status === 'running');

/** Accepts a run that has lost two workers. */
async function anIsolatedRun(prompt: string): Promise<string> {
  const runId = await setup.accept(prompt, { enqueue: false });
  await isolate(runId);
  return runId;
}

/** Enqueues a run as one that has lost two workers. */
async function isolate(runId: string): Promise<void> {
  await setup.ctx.db.query('delete from outbox');
  await setup.ctx.db.query('update runs set lost_attempts = 2 where id = $1', [runId]);
  await until(() => setup.producer.add(jobs.executeIsolatedRun, { runId, generation: 0 }, { id: `${runId}-g0` }));
}

/** Starts a workflow run of one lens node, and kills its worker once the node is running. */
async function aNodeWithoutWorker(prompt: string): Promise<string> {
  const settings = { lensId: setup.lensId, params: { Prompt: prompt } };
  const graph = { nodes: [{ id: 'n', type: 'lens', settings }], edges: [] };
  const { id: workflowId } = await aWorkflow(setup.ctx, { graph });
  const { runId } = await acceptWorkflowRun(setup.ctx, { workflowId, inputs: {}, timeoutMs: 300_000 });
  await start({ LENSFORGE_OFFLINE_EXIT: 'true', LENSFORGE_RUN_LEASE_MS: '60000' });
  await until(async () => (await nodeOf(runId))?.attempt === 1);
  await endAll();
  return runId;
}

const nodeOf = async (runId: string) => {
  const [node] = await setup.ctx.db.query<{ attempt: number; status: string; worker: string | null }[]>(
    'select attempt, status, worker from node_results where run_id = $1',
    [runId],
  );
  return node;
};

/** Enqueues the node of a run as one that has lost two workers. */
async function isolateNode(runId: string): Promise<void> {
  await setup.ctx.db.query(
    `update node_results set status = 'queued', generation = 1, lost_attempts = 2, worker = null, lease_until = null where run_id = $1`,
    [runId],
  );
  await until(() => setup.producer.add(jobs.executeNode, { runId, nodeKey: 'n', generation: 1 }, { id: `${runId}-n` }));
}

describe('a node that has lost two workers', () => {
  afterEach(endAll);
  const environment = { LENSFORGE_OFFLINE_EXIT: 'true', LENSFORGE_RUN_LEASE_MS: '60000' };

  it('is executed in a process of its own, and canceled there', async () => {
    const runId = await aNodeWithoutWorker(script({ hang: true }));
    await isolateNode(runId);
    const worker = await start(environment);
    await until(async () => (await nodeOf(runId))?.status === 'running');
    expect((await nodeOf(runId))?.worker).toMatch(/\/1$/);
    expect(worker.children()).toHaveLength(1);
    await cancelRun(setup.ctx, runId);
    expect((await setup.ended(runId)).status).toBe('canceled');
  });

  it('ends its run when it crashes this process too, without waiting for the lease; the worker lives on', async () => {
    const runId = await aNodeWithoutWorker(script({ exit: true }));
    await isolateNode(runId);
    const worker = await start(environment);
    expect(await setup.ended(runId)).toMatchObject({ status: 'failed', errorCode: 'WORKER_LOST' });
    expect(isAlive(worker.pid)).toBe(true);
    expect((await setup.ended(await setup.accept('Greet Ada'))).status).toBe('succeeded');
  });
});

describe('a run-worker process', () => {
  let worker: WorkerProcess;
  beforeAll(async () => {
    worker = await start({ LENSFORGE_OFFLINE_EXIT: 'true', LENSFORGE_RUN_LEASE_MS: '60000' });
  });
  afterAll(endAll);

  it('executes an isolated run in a process of its own and reuses it for the next one', async () => {
    expect(worker.children()).toEqual([]);
    const first = await anIsolatedRun('Greet Ada');
    expect((await setup.ended(first)).status).toBe('succeeded');
    const [child] = worker.children();
    // A run ends a moment before its process is free again, so one of the next may get another process.
    const names = ['Ben', 'Cleo', 'Dan', 'Eve'];
    for (const name of names) {
      expect((await setup.ended(await anIsolatedRun(`Greet ${name}`))).status).toBe('succeeded');
    }
    expect(worker.children()).toContain(child);
    expect(worker.children().length).toBeLessThan(names.length);
  });

  it('executes an isolated prompt run', async () => {
    const { runId } = await aPromptRun(setup.ctx, { prompt: 'Greet Ada' });
    await isolate(runId);
    expect(await setup.ended(runId)).toMatchObject({ kind: 'prompt', status: 'succeeded' });
  });

  it('cancels an isolated run like any other', async () => {
    const runId = await anIsolatedRun(script({ hang: true }));
    await running(runId);
    await setup.ctx.db.query('update runs set cancel_requested_at = now() where id = $1', [runId]);
    expect((await setup.ended(runId)).status).toBe('canceled');
  });

  it('continues when an isolated run crashes, and ends that run without waiting for the lease', async () => {
    const innocent = await setup.accept(script({ pieces: 30, pieceDelayMs: 100 }));
    const poison = await anIsolatedRun(script({ exit: true }));
    expect(await setup.ended(poison)).toMatchObject({ status: 'failed', errorCode: 'WORKER_LOST' });
    expect(await setup.ended(innocent)).toMatchObject({ status: 'succeeded' });
    expect(await row(innocent)).toMatchObject({ attempt: 1, lostAttempts: 0 });
    expect(isAlive(worker.pid)).toBe(true);
  });

  it('finishes its runs on SIGTERM, takes no other, and exits with 0 and its processes', async () => {
    expect((await setup.ended(await anIsolatedRun('Greet Fay'))).status).toBe('succeeded');
    const children = worker.children();
    expect(children).not.toEqual([]);
    const runId = await setup.accept(script({ pieces: 5, pieceDelayMs: 200 }));
    await running(runId);
    worker.kill('SIGTERM');
    await until(() => worker.lines.some(({ msg }) => msg === 'stopping'));
    const late = await setup.accept();
    expect(await exitOf(worker)).toEqual([0]);
    expect(await row(runId)).toMatchObject({ status: 'succeeded', attempt: 1 });
    expect((await row(late)).status).toBe('queued');
    expect(children.filter(isAlive)).toEqual([]);
  });
});

describe('a run-worker process that ends before its runs', () => {
  afterEach(endAll);

  it('releases runs that do not end in time, and another worker continues them', async () => {
    const worker = await start({ LENSFORGE_DRAIN_MS: '5000' });
    const runId = await setup.accept(script({ pieces: 4, pieceDelayMs: 1500 }));
    await running(runId);
    worker.kill('SIGTERM');
    expect(await worker.ended).toBe(0);
    expect(await row(runId)).toMatchObject({ status: 'queued', lostAttempts: 0, worker: null });
    const other = await setup.start();
    expect((await setup.ended(runId)).status).toBe('succeeded');
    expect((await setup.story(runId)).filter((type) => type === 'run.started')).toHaveLength(2);
    await other.stop();
  });

  it('leaves an isolated run to its process, which exits afterwards', async () => {
    const worker = await start();
    const runId = await anIsolatedRun(script({ pieces: 4, pieceDelayMs: 300 }));
    await running(runId);
    const [child = 0] = worker.children();
    worker.kill('SIGKILL');
    expect((await setup.ended(runId)).status).toBe('succeeded');
    expect(await row(runId)).toMatchObject({ attempt: 1, lostAttempts: 2 });
    await until(() => !isAlive(child), { what: 'the end of the process' });
  });

  it('leaves an isolated run to its process also when that has just started', async () => {
    const worker = await start();
    const runId = await anIsolatedRun('Greet Gil');
    await until(() => worker.children().length === 1, { every: 20 });
    const [child = 0] = worker.children();
    // By then it has been given its run, however busy the machine is, and has not loaded its code.
    await until(() => cpuMsOf(child) >= 100, { every: 5 });
    worker.kill('SIGKILL');
    expect((await setup.ended(runId)).status).toBe('succeeded');
    expect(await row(runId)).toMatchObject({ attempt: 1, lostAttempts: 2 });
    await until(() => !isAlive(child), { what: 'the end of the process' });
  });
});

describe('the end of a run with a concurrency key', () => {
  afterEach(endAll);

  it('admits the next run at once, without the reconciler', async () => {
    await start({ LENSFORGE_RECONCILE_MS: '600000' });
    const options = { concurrencyKey: 'key', enqueue: false } as const;
    const isolated = await setup.accept('first', options);
    await setup.ctx.db.query(`delete from outbox where payload ->> 'runId' = $1`, [isolated]);
    await setup.ctx.db.query('update runs set lost_attempts = 2 where id = $1', [isolated]);
    const quick = await setup.accept('quick', options);
    const late = await setup.accept(script({ hang: true }), { ...options, timeoutMs: 300, expiresInSeconds: 600 });
    const canceled = await setup.accept(script({ hang: true }), options);
    const last = await setup.accept('last', options);
    const job = { runId: isolated, generation: 0 };
    await until(() => setup.producer.add(jobs.executeIsolatedRun, job, { id: `${isolated}-g0` }));
    expect((await setup.ended(isolated)).status).toBe('succeeded');
    expect((await setup.ended(quick)).status).toBe('succeeded');
    expect((await setup.ended(late)).status).toBe('timed_out');
    await running(canceled);
    await cancelRun(setup.ctx, canceled);
    expect((await setup.ended(canceled)).status).toBe('canceled');
    expect((await setup.ended(last)).status).toBe('succeeded');
  });
});

describe('an isolated run', () => {
  afterEach(endAll);

  it('fails when its process is frozen, because it was the third lost worker', async () => {
    const worker = await start({ LENSFORGE_RUN_LEASE_MS: '2000', LENSFORGE_RUN_HEARTBEAT_MS: '400' });
    const runId = await anIsolatedRun(script({ hang: true }));
    await running(runId);
    const [child = 0] = worker.children();
    process.kill(child, 'SIGSTOP');
    expect(await setup.ended(runId)).toMatchObject({ status: 'failed', errorCode: 'WORKER_LOST' });
    await until(() => !isAlive(child), { what: 'the end of the frozen process' });
  });
});
