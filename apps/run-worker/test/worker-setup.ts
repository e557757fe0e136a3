import { join } from 'node:path';
import type { RunEvent } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { openTestDatabase } from '@lensforge/database/testing';
import { type Service, startWorker } from '@lensforge/edge';
import { actingAs, anAccount } from '@lensforge/identity/testing';
import { aLens } from '@lensforge/lenses/testing';
import {
  type OutboxPublisher,
  type Producer,
  createOutboxPublisher,
  createProducer,
  openRedis,
} from '@lensforge/queue';
import { type LensRunOrder, readEvents, readRun } from '@lensforge/runs';
import { ChangeRecorder, aRun } from '@lensforge/runs/testing';
import { freshRedisPrefix, serviceSettings, testRedisUrl, until } from '@lensforge/testing';
import type { RunWorkerEnvironment } from '../src/environment.js';
import { runWorker } from '../src/service.js';

const isolatedRun = join(import.meta.dirname, '..', '..', '..', 'bundle', 'isolated-run.js');

export interface WorkerSetup {
  ctx: Context;
  /** A lens whose only parameter is its prompt. */
  lensId: string;
  producer: Producer;
  redis: ReturnType<typeof openRedis>;
  prefix: string;
  environment: Record<string, string>;
  /** Starts a worker in this process. */
  start(environment?: Record<string, string>): Promise<Service<RunWorkerEnvironment>>;
  /** Accepts a run and hands its job over, unless `enqueue` is false. */
  accept(prompt?: string, options?: Partial<LensRunOrder> & { enqueue?: boolean }): Promise<string>;
  run(runId: string): ReturnType<typeof readRun>;
  story(runId: string): Promise<string[]>;
  ended(runId: string): Promise<Awaited<ReturnType<typeof readRun>>>;
  /** Deletes all jobs; without it, a later worker executes the jobs of a killed one again. */
  deleteJobs(): Promise<void>;
  close(): Promise<void>;
}

/** A real PostgreSQL and Redis and an account with a lens; starts workers on request. */
export async function aWorkerSetup(): Promise<WorkerSetup> {
  const database = await openTestDatabase();
  const prefix = freshRedisPrefix();
  const environment = {
    ...serviceSettings(database.url, prefix),
    LOG_LEVEL: 'silent',
    LENSFORGE_RECONCILE_MS: '200',
  };
  const { ctx: platformCtx } = database;
  const redis = openRedis(testRedisUrl(), 'producer');
  await until(() => redis.status === 'ready');
  const producer = createProducer({ redis, prefix: `{${prefix}}` });
  const outbox: OutboxPublisher = createOutboxPublisher({ db: platformCtx.db, producer });
  const changes = new ChangeRecorder(database.source);
  const { id: accountId } = await anAccount(platformCtx);
  const ctx = actingAs(platformCtx, accountId);
  const { id: lensId } = await aLens(ctx, { templateBody: '[[Prompt]]' });
  const services: Service<RunWorkerEnvironment>[] = [];
  const run = (runId: string) => readRun(ctx, runId);

  return {
    ctx,
    lensId,
    producer,
    redis,
    prefix,
    environment,
    start: async (own = {}) => {
      const service = await startWorker(runWorker({ isolatedRun }), { environment: { ...environment, ...own } });
      services.push(service);
      return service;
    },
    accept: async (prompt = 'Say hello', { enqueue = true, ...options } = {}) => {
      const { runId } = await aRun(ctx, { lensId, params: { Prompt: prompt }, ...options });
      const job = changes.takeJob(runId);
      if (enqueue && job) await outbox.publish([job]);
      return runId;
    },
    run,
    story: async (runId) => storyOf(await readEvents(ctx, runId, 0)),
    ended: (runId) =>
      until(
        async () => {
          const status = await run(runId);
          return ['queued', 'running'].includes(status.status) ? undefined : status;
        },
        { what: `the end of run ${runId}` },
      ),
    deleteJobs: async () => {
      const keys = await redis.keys(`{${prefix}}*`);
      if (keys.length > 0) await redis.del(keys);
    },
    close: async () => {
      await Promise.all(services.map((service) => service.stop()));
      await producer.close();
      redis.disconnect();
      await database.close();
    },
  };
}

/** The types of the events; throws when their sequence numbers have a gap. */
export function storyOf(events: readonly RunEvent[]): string[] {
  const gap = events.find(({ sequence }, index) => sequence !== index + 1);
  if (gap) throw new Error(`event ${gap.sequence} of run ${gap.runId} comes after a gap`);
  return events.map(({ eventType }) => eventType);
}

export const script = (directive: object): string => `@offline ${JSON.stringify(directive)}`;
