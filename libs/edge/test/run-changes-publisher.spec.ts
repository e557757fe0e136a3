import { type RunEvent, battleChannel, cancelChannel, jobs, runChannel, threadChannel } from '@lensforge/contracts';
import { type Context, newId } from '@lensforge/core';
import { type AdmissionTarget, enqueue, inTransaction, recordRunChanges } from '@lensforge/database';
import { closeRedis, isReady, toJobId, openRedis } from '@lensforge/queue';
import { aContext, until } from '@lensforge/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Redis } from 'ioredis';
import { type Platform, startRunChangesPublisher } from '../src/index.js';
import { type TinyEnvironment, type TinySetup, tinySetup } from './tiny-service.js';

let setup: TinySetup;
let platform: Platform<TinyEnvironment>;
let ctx: Context;
let subscriber: Redis;
let messages: [channel: string, message: string][];
let batches: (readonly AdmissionTarget[])[];

beforeAll(async () => {
  setup = await tinySetup();
  ({ platform } = await setup.start());
  const { environment, database, redis } = platform;
  ctx = aContext(database.manager);
  startRunChangesPublisher(platform, {
    admit: (targets) => {
      batches.push(targets);
      return Promise.resolve();
    },
    // No poll publishes the jobs of this file.
    poll: { least: 3_600_000, most: 3_600_000 },
  });
  subscriber = openRedis(environment.REDIS_URL, 'subscriber');
  await until(() => isReady(redis) && isReady(subscriber));
  const prefix = `${environment.REDIS_PREFIX}:`;
  await subscriber.psubscribe(`${prefix}*`);
  subscriber.on('pmessage', (_, channel: string, message: string) =>
    messages.push([channel.slice(prefix.length), message]),
  );
});
beforeEach(() => {
  messages = [];
  batches = [];
});
afterAll(async () => {
  await closeRedis(subscriber);
  await setup.stop();
});

const jobOf = (runId: string): string => toJobId(runId, 0);
const addJob = (ctx: Context, runId: string) =>
  enqueue(ctx, jobs.executeRun, { runId, generation: 0 }, { jobId: jobOf(runId), publishNow: true });
const queuedJobs = () => platform.redis.lrange(`{${platform.environment.REDIS_PREFIX}}:runs:wait`, 0, -1);
const anEvent = (runId: string, sequence = 1): RunEvent => ({
  eventType: 'run.canceled',
  payload: { reason: 'test' },
  occurredAt: new Date().toISOString(),
  runId,
  sequence,
});
const aTarget = (): AdmissionTarget => ({ accountId: newId(), concurrencyKey: null });

describe('startRunChangesPublisher', () => {
  it('adds the jobs of a transaction to their queue and deletes their outbox rows', async () => {
    const runIds = [newId(), newId()];
    await inTransaction(ctx, async (ctx) => {
      for (const runId of runIds) await addJob(ctx, runId);
    });
    await until(async () => (await setup.query('select 1 from outbox')).length === 0);
    expect(await queuedJobs()).toEqual(expect.arrayContaining(runIds.map(jobOf)));
  });

  it('publishes events to the channels of their runs, and requests to stop to the channel of workers', async () => {
    const [one, other] = [newId(), newId()];
    const events = [anEvent(one), anEvent(one, 2), anEvent(other)];
    await inTransaction(ctx, async (ctx) => recordRunChanges(ctx, { events, runsToStop: [one, other] }));
    await until(() => messages.length === 5);
    expect(messages).toEqual([
      ...events.map((event) => [runChannel(event.runId), JSON.stringify(event)]),
      [cancelChannel, one],
      [cancelChannel, other],
    ]);
  });

  it('publishes the last sequence number of battles and threads with new events', async () => {
    const [battleId, threadId] = [newId(), newId()];
    await inTransaction(ctx, async (ctx) => {
      recordRunChanges(ctx, {
        positions: [
          { channel: battleChannel(battleId), lastSequence: 7 },
          { channel: threadChannel(threadId), lastSequence: 3 },
        ],
      });
    });
    await until(() => messages.length === 2);
    expect(messages).toEqual([
      [battleChannel(battleId), '7'],
      [threadChannel(threadId), '3'],
    ]);
  });

  it('admits runs for all targets of a transaction in one call', async () => {
    const targets = [aTarget(), aTarget(), aTarget()];
    await inTransaction(ctx, async (ctx) => {
      recordRunChanges(ctx, { toAdmit: targets.slice(0, 2) });
      recordRunChanges(ctx, { toAdmit: targets.slice(2) });
    });
    await until(() => batches.flat().length === 3);
    expect(batches).toEqual([targets]);
  });

  it('publishes nothing of a transaction that was rolled back', async () => {
    const [lost, committed] = [newId(), newId()];
    const change = async (ctx: Context, runId: string) => {
      await addJob(ctx, runId);
      const target = { accountId: runId, concurrencyKey: null };
      recordRunChanges(ctx, { events: [anEvent(runId)], runsToStop: [runId], toAdmit: [target] });
    };
    const rolledBack = inTransaction(ctx, async (ctx) => {
      await change(ctx, lost);
      throw new Error('test');
    });
    await expect(rolledBack).rejects.toThrow('test');
    await inTransaction(ctx, (ctx) => change(ctx, committed));
    // Jobs and messages arrive in the order in which they were published.
    await until(async () => (await queuedJobs()).includes(jobOf(committed)));
    await until(() => messages.length >= 2 && batches.length > 0);
    expect(await queuedJobs()).not.toContain(jobOf(lost));
    expect(messages.map(([channel]) => channel)).toEqual([runChannel(committed), cancelChannel]);
    expect(batches.flat().map(({ accountId }) => accountId)).toEqual([committed]);
  });
});
