import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type RunEvent, cancelChannel, jobs, runChannel } from '@lensforge/contracts';
import { newId } from '@lensforge/core';
import type { Service } from '@lensforge/edge';
import { createPublisher, createSubscriber } from '@lensforge/queue';
import { cancelRun, claimRuns, readEvents, readRunOperation, startRunOperation } from '@lensforge/runs';
import { aPromptRun } from '@lensforge/runs/testing';
import { testRedisUrl, until } from '@lensforge/testing';
import { type WorkerSetup, aWorkerSetup, script } from './worker-setup.js';

describe('a run-worker', () => {
  let setup: WorkerSetup;
  let service: Service;
  beforeAll(async () => {
    setup = await aWorkerSetup();
    // With so rare heartbeats the worker learns of a cancellation only from the published message.
    service = await setup.start({ LENSFORGE_RUN_LEASE_MS: '600000', LENSFORGE_RUN_HEARTBEAT_MS: '200000' });
  });
  afterAll(() => setup.close());

  const metric = async (name: string, labels = ''): Promise<number> => {
    const text = await (await fetch(`${service.url}/metrics`)).text();
    const line = text.split('\n').find((each) => each.startsWith(`${name}{`) && each.includes(labels));
    return Number(line?.split(' ').at(-1));
  };

  it('executes the run of a job, with gapless events', async () => {
    const runId = await setup.accept('Greet Ada');
    expect(await setup.ended(runId)).toMatchObject({ status: 'succeeded', providerKey: 'offline' });
    expect(await setup.story(runId)).toEqual([
      'run.queued',
      'run.started',
      'node.output.delta',
      'artifact.created',
      'run.succeeded',
    ]);
  });

  it('publishes each event after its commit, in order', async () => {
    const follow = async (): Promise<{ received: RunEvent[]; stored: RunEvent[] }> => {
      const subscriber = createSubscriber({ server: testRedisUrl(), prefix: setup.prefix });
      const received: RunEvent[] = [];
      const runId = await setup.accept(script({ pieces: 4, pieceDelayMs: 60 }), { enqueue: false });
      await subscriber.subscribe(runChannel(runId), {
        onMessage: (message) => received.push(JSON.parse(message) as RunEvent),
        onGap: () => undefined,
      });
      await setup.producer.add(jobs.executeRun, { runId, generation: 0 }, { id: `${runId}-g0` });
      await setup.ended(runId);
      await until(() => received.at(-1)?.eventType === 'run.succeeded');
      await subscriber.close();
      return { received, stored: await readEvents(setup.ctx, runId, 1) };
    };
    // On a slow machine the reconciler may start a run before the subscription.
    const isLate = ({ received }: { received: RunEvent[] }): boolean => received[0]?.eventType !== 'run.started';
    let { received, stored } = await follow();
    for (let tries = 1; tries < 5 && isLate({ received }); tries += 1) ({ received, stored } = await follow());
    expect(received).toEqual(stored);
  });

  it('executes a run once, however often its job is delivered', async () => {
    const runId = await setup.accept(script({ pieces: 3, pieceDelayMs: 50 }));
    for (const id of [newId(), newId(), newId()]) {
      await setup.producer.add(jobs.executeRun, { runId, generation: 0 }, { id });
    }
    await setup.ended(runId);
    await until(async () => (await metric('lensforge_run_jobs_ignored_total')) >= 3);
    expect((await setup.story(runId)).filter((type) => type === 'run.started')).toHaveLength(1);
  });

  it('ignores a job of an older generation and a job without a run', async () => {
    const runId = await setup.accept(undefined, { enqueue: false });
    await setup.ctx.db.query('update runs set generation = 5 where id = $1', [runId]);
    const before = await metric('lensforge_run_jobs_ignored_total');
    await setup.producer.add(jobs.executeRun, { runId, generation: 4 }, { id: `${runId}-g4` });
    await setup.producer.add(jobs.executeRun, { runId: newId(), generation: 0 }, { id: newId() });
    await until(async () => (await metric('lensforge_run_jobs_ignored_total')) >= before + 2);
    expect((await setup.run(runId)).status).toBe('queued');
    await setup.producer.add(jobs.executeRun, { runId, generation: 5 }, { id: `${runId}-g5` });
    await setup.ended(runId);
  });

  it('stops a run soon after its cancellation was published', async () => {
    const runId = await setup.accept(script({ hang: true }));
    await until(async () => (await setup.run(runId)).status === 'running');
    await cancelRun(setup.ctx, runId);
    createPublisher({ redis: setup.redis, prefix: setup.prefix }).publish(cancelChannel, runId);
    expect((await setup.ended(runId)).status).toBe('canceled');
  });

  it('executes an operation on many runs, also when its job was lost', async () => {
    const tag = newId();
    const runIds = await Promise.all(
      [1, 2, 3].map(() => setup.accept(script({ hang: true }), { tags: [tag], enqueue: false, delaySeconds: 3600 })),
    );
    const operation = await startRunOperation(setup.ctx, { action: 'cancel', filter: { tag: [tag] } });
    await setup.ctx.db.query(`delete from outbox where payload ->> 'operationId' = $1`, [operation.id]);
    await setup.ctx.db.query(`update run_operations set queued_at = now() - interval '1 hour' where id = $1`, [
      operation.id,
    ]);
    for (const runId of runIds) expect((await setup.ended(runId)).status).toBe('canceled');
    await until(async () => (await readRunOperation(setup.ctx, operation.id)).status === 'succeeded');
  });

  it('ends a run that no worker executes at its deadline', async () => {
    const runId = await setup.accept(undefined, { enqueue: false, timeoutMs: 300 });
    expect(await setup.ended(runId)).toMatchObject({ status: 'timed_out', errorCode: 'RUN_TIMED_OUT' });
  });

  it('continues a run whose worker sends no heartbeat', async () => {
    const runId = await setup.accept(undefined, { enqueue: false });
    await claimRuns(setup.ctx, [{ runId, generation: 0, worker: 'dead', leaseMs: 300 }]);
    expect((await setup.ended(runId)).status).toBe('succeeded');
    expect(await setup.story(runId)).toEqual([
      'run.queued',
      'run.started',
      'run.retrying',
      'run.started',
      'node.output.delta',
      'artifact.created',
      'run.succeeded',
    ]);
    expect(await metric('lensforge_lease_expiries_total')).toBeGreaterThanOrEqual(1);
  });

  it('fails a run that has lost too many workers', async () => {
    const runId = await setup.accept(undefined, { enqueue: false });
    await setup.ctx.db.query('update runs set lost_attempts = 4 where id = $1', [runId]);
    await claimRuns(setup.ctx, [{ runId, generation: 0, worker: 'dead', leaseMs: 1 }]);
    expect(await setup.ended(runId)).toMatchObject({ status: 'failed', errorCode: 'WORKER_LOST' });
  });

  it('executes a run of a battle and advances the battle, whose job may come twice or be lost', async () => {
    const { ctx, producer, redis, prefix } = setup;
    const battleId = newId();
    const { runId } = await aPromptRun(ctx, { prompt: 'Greet Ada', cause: { kind: 'battle', battleId } });
    await producer.add(jobs.executeRun, { runId, generation: 0 }, { id: `${runId}-g0` });
    expect(await setup.ended(runId)).toMatchObject({ kind: 'prompt', status: 'succeeded' });
    const rows = () =>
      ctx.db.query<{ id: string }[]>(`select id from outbox where payload ->> 'battleId' = $1`, [battleId]);
    await until(async () => (await rows()).length === 0);

    const outboxId = newId();
    for (const id of [newId(), newId()]) await producer.add(jobs.advanceBattle, { battleId, outboxId }, { id });
    await ctx.db.query(`insert into outbox (id, job, job_id, payload) values ($1, $2, $1::uuid || '-g0', $3)`, [
      outboxId,
      jobs.advanceBattle.name,
      JSON.stringify({ battleId, outboxId }),
    ]);
    await until(async () => (await rows()).length === 0);
    expect(await redis.zcard(`{${prefix}}:${jobs.advanceBattle.queue}:failed`)).toBe(0);
  });

  it('restores the jobs of runs that Redis has lost', async () => {
    const runIds = await Promise.all(Array.from({ length: 20 }, () => setup.accept(undefined, { enqueue: false })));
    await setup.ctx.db.query('delete from outbox');
    for (const runId of runIds) expect((await setup.ended(runId)).status).toBe('succeeded');
    expect(await metric('lensforge_runs_reconciled_total', 'cause="job_lost"')).toBeGreaterThanOrEqual(20);
  });

  it('restores the jobs that a dead worker has taken', async () => {
    const runId = await setup.accept(undefined, { enqueue: false });
    await setup.ctx.db.query('delete from outbox');
    await setup.redis.lpush(`{${setup.prefix}}:runs:active`, `${runId}-g0`);
    await setup.redis.hset(`{${setup.prefix}}:runs:${runId}-g0`, { name: 'run.execute', timestamp: 1, processedOn: 1 });
    expect((await setup.ended(runId)).status).toBe('succeeded');
  });

  it('publishes metrics of its work', async () => {
    expect(await metric('lensforge_runs_total', 'outcome="succeeded"')).toBeGreaterThan(0);
    expect(await metric('lensforge_run_duration_seconds_count', 'outcome="succeeded"')).toBeGreaterThan(0);
    expect(await metric('lensforge_runs_executing')).toBe(0);
    expect(await metric('lensforge_fenced_writes_total')).toBe(0);
    expect(await metric('lensforge_outbox_open_rows')).toBe(0);
    expect(await metric('lensforge_queue_depth', 'queue="runs"')).toBe(0);
  });
});
