import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { knownServices } from '@lensforge/dev';
import { until } from '@lensforge/testing';
import { nothingFound } from './audit.js';
import { TestPlatform, countBy, withConcurrency } from './test-platform.js';

let setup: TestPlatform;
beforeAll(async () => {
  setup = await TestPlatform.open({
    services: knownServices('api-gateway', 'run-worker'),
    replicas: { 'run-worker': 3 },
    environment: { LENSFORGE_OFFLINE_EXIT: 'true' },
  });
});
afterAll(() => setup.close());

const forward: Record<string, readonly string[]> = {
  queued: ['queued', 'running', 'succeeded', 'failed', 'canceled', 'timed_out'],
  // A run of a lost worker is queued again: the only backward transition.
  running: ['queued', 'running', 'succeeded', 'failed', 'canceled', 'timed_out'],
};

describe('a worker that dies', () => {
  it('loses no run when it is killed repeatedly under load; each run ends once, with gapless events', async () => {
    let over = false;
    const runIds: string[] = [];
    const backward: string[] = [];
    const polling = pollAll(runIds, backward, () => over);

    const loading = withConcurrency(80, 8, async (n) => {
      runIds.push(
        await setup.accepted({
          script: { pieces: 4, pieceDelayMs: 60 },
          gateway: 0,
          body: { idempotencyKey: `lost-${n}` },
        }),
      );
    });
    for (let kill = 0; kill < 4; kill += 1) {
      await new Promise((resolve) => setTimeout(resolve, 700));
      await until(() => setup.pidOf('run-worker', kill % 3), { what: 'the next worker to kill' });
      setup.platform.kill('run-worker', kill % 3, 'SIGKILL');
    }
    await loading;
    await setup.allEnded();
    over = true;
    await polling;

    expect(runIds).toHaveLength(80);
    expect(await setup.findings()).toEqual(nothingFound);
    const statuses = await setup.db.query<{ status: string }[]>('select status from runs');
    expect(countBy(statuses.map(({ status }) => status))).toEqual({ succeeded: 80 });
    expect(backward).toEqual([]);
  });

  it('is detected within its lease, and another worker starts the run again', async () => {
    const runId = await setup.accepted({ script: { delayMs: 4000 } });
    const worker = await holderOf(runId);
    setup.platform.kill('run-worker', worker, 'SIGKILL');
    await until(async () => (await setup.statusOf(runId)) === 'succeeded');
    const frames: { event: string; payload: Record<string, unknown> }[] = [];
    for await (const { event, data } of setup.follow(runId)) {
      frames.push({
        event: String(event),
        payload: (JSON.parse(data) as { payload: Record<string, unknown> }).payload,
      });
    }
    const attempts = frames.filter(({ event }) => event === 'run.started').map(({ payload }) => payload['attempt']);
    expect(attempts).toEqual([1, 2]);
    expect(frames.map(({ event }) => event)).toContain('run.retrying');
    expect(frames.filter(({ event }) => event === 'run.succeeded')).toHaveLength(1);
  });

  it('is not killed forever by a poison run, which fails without affecting other runs', async () => {
    const poison = await setup.accepted({ script: { delayMs: 300, exit: true } });
    const innocent = await withConcurrency(20, 5, () => setup.accepted({ script: { pieces: 3, pieceDelayMs: 100 } }));
    await setup.allEnded();
    expect((await setup.call('GET', `/v1/runs/${poison}`)).body.data).toMatchObject({
      status: 'failed',
      errorCode: 'WORKER_LOST',
    });
    for (const runId of innocent) expect(await setup.statusOf(runId)).toBe('succeeded');
    expect(await setup.findings()).toEqual(nothingFound);
  });
});

/** The worker that executes the run. */
async function holderOf(runId: string): Promise<number> {
  const worker = await until(
    async () => {
      const rows = await setup.db.query<{ worker: string | null }[]>('select worker from runs where id = $1', [runId]);
      return rows[0]?.worker;
    },
    { what: 'a worker for the run' },
  );
  const index = [0, 1, 2].find((n) => worker.split(/\D+/).includes(String(setup.pidOf('run-worker', n))));
  if (index === undefined) throw new Error(`worker ${worker} is none of the platform's`);
  return index;
}

/** Polls statuses and records every transition that is not allowed. */
async function pollAll(runIds: readonly string[], backward: string[], isOver: () => boolean): Promise<void> {
  const last = new Map<string, string>();
  while (!isOver()) {
    const some = runIds.filter((runId) => !['succeeded', 'failed'].includes(last.get(runId) ?? '')).slice(0, 10);
    const ended = runIds.filter((runId) => last.has(runId)).slice(-10);
    for (const runId of [...some, ...ended]) {
      const status = await setup.statusOf(runId).catch(() => undefined);
      if (status === undefined) continue;
      const before = last.get(runId) ?? 'queued';
      if (status !== before && !forward[before]?.includes(status)) backward.push(`${before} -> ${status}`);
      last.set(runId, status);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
