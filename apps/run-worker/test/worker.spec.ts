import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RunEvent } from '@lensforge/contracts';
import { cancelChannel, jobs, runChannel } from '@lensforge/contracts';
import { newId } from '@lensforge/core';
import type { Service } from '@lensforge/edge';
import { createPublisher, createSubscriber } from '@lensforge/queue';
import { cancelRun, claimRuns, readEvents, readRunOperation, startRunOperation } from '@lensforge/runs';
import { testRedisUrl, until } from '@lensforge/testing';
import type { WorkerSetup } from './worker-setup.js';
import { aWorkerSetup, script } from './worker-setup.js';

describe('the run-worker', () => {
  let yard: WorkerSetup;
  let service: Service;
  beforeAll(async () => {
    yard = await aWorkerSetup();
    // Heard of so seldom, a worker learns of a cancellation only from the one who rings.
    service = await yard.start({ LENSFORGE_RUN_LEASE_MS: '600000', LENSFORGE_RUN_HEARTBEAT_MS: '200000' });
  });
  afterAll(() => yard.close());

  const metric = async (name: string, labels = ''): Promise<number> => {
    const text = await (await fetch(`${service.url}/metrics`)).text();
    const line = text.split('\n').find((each) => each.startsWith(`${name}{`) && each.includes(labels));
    return Number(line?.split(' ').at(-1));
  };

  it('takes a job and brings its run to an end, with gapless events', async () => {
    const runId = await yard.accept('Greet Ada');
    expect(await yard.ended(runId)).toMatchObject({ status: 'succeeded', providerKey: 'offline' });
    expect(await yard.story(runId)).toEqual([
      'run.queued',
      'run.started',
      'node.output.delta',
      'artifact.created',
      'run.succeeded',
    ]);
  });

  it('publishes each event once it is committed, in order', async () => {
    const { prefix } = yard;
    const subscriber = createSubscriber({ redisUrl: testRedisUrl(), prefix });
    const heard: RunEvent[] = [];
    const runId = await yard.accept(script({ pieces: 4, pieceDelayMs: 60 }), { post: false });
    await subscriber.subscribe(runChannel(runId), {
      onMessage: (message) => heard.push(JSON.parse(message) as RunEvent),
      onGap: () => undefined,
    });
    await yard.producer.add(jobs.executeRun, { runId, generation: 0 }, { id: `${runId}-g0` });
    await yard.ended(runId);
    await until(() => heard.at(-1)?.eventType === 'run.succeeded');
    await subscriber.close();
    expect(heard).toEqual((await readEvents(yard.ctx, runId, 1)).slice());
  });

  it('executes a run once, however often its job is delivered', async () => {
    const runId = await yard.accept(script({ pieces: 3, pieceDelayMs: 50 }));
    for (const id of [newId(), newId(), newId()]) {
      await yard.producer.add(jobs.executeRun, { runId, generation: 0 }, { id });
    }
    await yard.ended(runId);
    await until(async () => (await metric('lensforge_run_jobs_ignored_total')) >= 3);
    expect((await yard.story(runId)).filter((type) => type === 'run.started')).toHaveLength(1);
  });

  it('leaves a run alone when the job is of an older generation, and a job for no run', async () => {
    const runId = await yard.accept(undefined, { post: false });
    await yard.ctx.db.query('update runs set generation = 5 where id = $1', [runId]);
    const before = await metric('lensforge_run_jobs_ignored_total');
    await yard.producer.add(jobs.executeRun, { runId, generation: 4 }, { id: `${runId}-g4` });
    await yard.producer.add(jobs.executeRun, { runId: newId(), generation: 0 }, { id: newId() });
    await until(async () => (await metric('lensforge_run_jobs_ignored_total')) >= before + 2);
    expect((await yard.run(runId)).status).toBe('queued');
    await yard.producer.add(jobs.executeRun, { runId, generation: 5 }, { id: `${runId}-g5` });
    await yard.ended(runId);
  });

  it('stops a run soon after its cancellation was rung for', async () => {
    const runId = await yard.accept(script({ hang: true }));
    await until(async () => (await yard.run(runId)).status === 'running');
    await cancelRun(yard.ctx, runId);
    createPublisher({ redis: yard.redis, prefix: yard.prefix }).publish(cancelChannel, runId);
    expect((await yard.ended(runId)).status).toBe('canceled');
  });

  it('carries out what was asked for many runs, also when the job of it was lost', async () => {
    const tag = newId();
    const runIds = await Promise.all(
      [1, 2, 3].map(() => yard.accept(script({ hang: true }), { tags: [tag], post: false, delaySeconds: 3600 })),
    );
    const { operation } = await startRunOperation(yard.ctx, { action: 'cancel', filter: { tag: [tag] } });
    await yard.ctx.db.query(`delete from outbox where payload ->> 'operationId' = $1`, [operation.id]);
    await yard.ctx.db.query(`update run_operations set queued_at = now() - interval '1 hour' where id = $1`, [
      operation.id,
    ]);
    for (const runId of runIds) expect((await yard.ended(runId)).status).toBe('canceled');
    await until(async () => (await readRunOperation(yard.ctx, operation.id)).status === 'succeeded');
  }, 90_000);

  it('ends a run that nobody executes at its deadline', async () => {
    const runId = await yard.accept(undefined, { post: false, timeoutMs: 300 });
    expect(await yard.ended(runId)).toMatchObject({ status: 'timed_out', errorCode: 'RUN_TIMED_OUT' });
  });

  it('takes over a run whose worker is no longer heard of', async () => {
    const runId = await yard.accept(undefined, { post: false });
    await claimRuns(yard.ctx, [{ runId, generation: 0, worker: 'dead', leaseMs: 300 }]);
    expect((await yard.ended(runId)).status).toBe('succeeded');
    expect(await yard.story(runId)).toEqual([
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

  it('gives up a run that has lost too many workers', async () => {
    const runId = await yard.accept(undefined, { post: false });
    await yard.ctx.db.query('update runs set lost_attempts = 4 where id = $1', [runId]);
    await claimRuns(yard.ctx, [{ runId, generation: 0, worker: 'dead', leaseMs: 1 }]);
    expect(await yard.ended(runId)).toMatchObject({ status: 'failed', errorCode: 'WORKER_LOST' });
  });

  it('gives runs whose jobs have vanished new ones', async () => {
    const runIds = await Promise.all(Array.from({ length: 20 }, () => yard.accept(undefined, { post: false })));
    await yard.ctx.db.query('delete from outbox');
    for (const runId of runIds) expect((await yard.ended(runId)).status).toBe('succeeded');
    expect(await metric('lensforge_runs_reconciled_total', 'cause="job_lost"')).toBeGreaterThanOrEqual(20);
  });

  it('gives runs new jobs whose jobs died with the worker that took them', async () => {
    const runId = await yard.accept(undefined, { post: false });
    await yard.ctx.db.query('delete from outbox');
    await yard.redis.lpush(`{${yard.prefix}}:runs:active`, `${runId}-g0`);
    await yard.redis.hset(`{${yard.prefix}}:runs:${runId}-g0`, { name: 'run.execute', timestamp: 1, processedOn: 1 });
    expect((await yard.ended(runId)).status).toBe('succeeded');
  });

  it('says what it does in figures', async () => {
    expect(await metric('lensforge_runs_total', 'outcome="succeeded"')).toBeGreaterThan(0);
    expect(await metric('lensforge_run_duration_seconds_count', 'outcome="succeeded"')).toBeGreaterThan(0);
    expect(await metric('lensforge_runs_in_hand')).toBe(0);
    expect(await metric('lensforge_fenced_writes_total')).toBe(0);
    expect(await metric('lensforge_outbox_open_rows')).toBe(0);
    expect(await metric('lensforge_queue_depth', 'queue="runs"')).toBe(0);
  });
});
