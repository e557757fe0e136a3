import { expect } from '@jest/globals';
import { type RestErrorCode, type RunEvent, accountRateClasses, runChannel } from '@lensforge/contracts';
import { faultOfDetails } from '@lensforge/contracts/testing';
import type { Context } from '@lensforge/core';
import { openDatabase } from '@lensforge/database';
import { type Service, type ServiceLogger, startService } from '@lensforge/edge';
import { aToken, actingAs, anAccount } from '@lensforge/identity/testing';
import { aLens } from '@lensforge/lenses/testing';
import { type Publisher, createPublisher } from '@lensforge/queue';
import {
  type ClaimedRun,
  type NewRunEvent,
  appendEvents,
  claimRuns,
  finishRuns,
  readEvents as readStoredEvents,
} from '@lensforge/runs';
import { aFinish } from '@lensforge/runs/testing';
import {
  type EventStream,
  aContext,
  freshDatabase,
  freshRedisPrefix,
  readEvents,
  serviceSettings,
} from '@lensforge/testing';
import { testMasterKey } from '@lensforge/webhooks/testing';
import { apiGateway } from '../src/service.js';

/** Limits that no test reaches unless it sets lower ones. */
const highRates = Object.fromEntries(
  [...accountRateClasses, 'unauthenticated']
    .filter((rate) => rate !== 'execute' && rate !== 'run')
    .map((rate) => [`LENSFORGE_RATE_${rate.toUpperCase()}_PER_MINUTE`, '1000000']),
);

export interface Answer {
  status: number;
  headers: Headers;
  body: {
    data?: Record<string, unknown>;
    error?: { code: string; message: string; details?: unknown } | null;
    meta?: object;
  };
}

/** Checks the details of an error against the shape of its code. */
export function expectShapeOfDetails({ error }: Answer['body']): void {
  if (error) expect(faultOfDetails(error.code as RestErrorCode, error.details)).toBeUndefined();
}

type FollowOptions = NonNullable<Parameters<typeof readEvents>[1]>;

export interface Gateway {
  url: string;
  service: Service;
  ctx: Context;
  accountId: string;
  token: string;
  lensId: string;
  call(
    method: string,
    path: string,
    options?: { token?: string; body?: unknown; headers?: Record<string, string> },
  ): Promise<Answer>;
  follow(runId: string, options?: FollowOptions): EventStream;
  worker: TestWorker;
  /** Starts another gateway on the same PostgreSQL and Redis and returns its URL. */
  replica(): Promise<string>;
  stop(): Promise<void>;
}

/** Starts a gateway on real PostgreSQL and Redis, with an account, a token and a lens. */
export async function aGateway(
  environment: Record<string, string> = {},
  options: { logger?: ServiceLogger } = {},
): Promise<Gateway> {
  const database = await freshDatabase();
  const prefix = freshRedisPrefix();
  const start = () =>
    startService(apiGateway, {
      ...options,
      environment: {
        ...serviceSettings(database.url, prefix),
        LOG_LEVEL: 'silent',
        LENSFORGE_MASTER_KEY: testMasterKey,
        ...highRates,
        ...environment,
      },
    });
  const service = await start();
  const replicas: Service[] = [];
  const ctx = aContext(service.platform.database.manager);
  // A connection pool without a publisher of changes, so that a test can lose events.
  const workerSource = await openDatabase({ url: database.url, applicationName: 'test worker' });
  const { id: accountId } = await anAccount(ctx);
  const { value: token } = await aToken(ctx, { accountId });
  const { id: lensId } = await aLens(actingAs(ctx, accountId));
  const { url } = service;
  return {
    url,
    service,
    ctx,
    accountId,
    token,
    lensId,
    call: async (method, path, { token: other = token, body, headers = {} } = {}) => {
      const answer = await fetch(url + path, {
        method,
        headers: {
          ...(other && { authorization: `Bearer ${other}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const text = await answer.text();
      const read = (text ? JSON.parse(text) : {}) as Answer['body'];
      expectShapeOfDetails(read);
      return { status: answer.status, headers: answer.headers, body: read };
    },
    follow: (runId, options = {}) =>
      readEvents(`${url}/v1/runs/${runId}/events`, {
        ...options,
        headers: { authorization: `Bearer ${token}`, ...options.headers },
      }),
    worker: new TestWorker(
      { ...ctx, db: workerSource.manager },
      createPublisher({ redis: service.platform.redis, prefix }),
    ),
    replica: async () => {
      const replica = await start();
      replicas.push(replica);
      return replica.url;
    },
    stop: async () => {
      await Promise.all([service, ...replicas].map((each) => each.stop()));
      await workerSource.destroy();
      await database.drop();
    },
  };
}

/** Claims runs, writes events and finishes runs like a run-worker; publishes them unless `quietly` is set. */
export class TestWorker {
  private readonly lastSequences = new Map<string, number>();

  constructor(
    private readonly ctx: Context,
    private readonly publisher: Publisher,
  ) {}

  async claim(runId: string): Promise<ClaimedRun> {
    const [run] = await claimRuns(this.ctx, [{ runId, generation: 0, worker: 'test-worker', leaseMs: 60_000 }]);
    if (!run) throw new Error(`run ${runId} could not be claimed`);
    this.lastSequences.set(runId, run.sequence);
    this.publish(await readStoredEvents(this.ctx, runId, run.sequence - 1));
    return run;
  }

  async write(run: ClaimedRun, texts: readonly string[], { quietly = false } = {}): Promise<void> {
    const events = texts.map((text): NewRunEvent => ({ type: 'node.output.delta', payload: { nodeId: 'lens', text } }));
    const after = this.lastSequences.get(run.id) ?? 0;
    this.lastSequences.set(run.id, after + events.length);
    const [stored] = await appendEvents(this.ctx, [{ runId: run.id, attempt: run.attempt, after, events }]);
    if (!quietly) this.publish(stored ?? []);
  }

  async succeed(run: ClaimedRun, { quietly = false } = {}): Promise<void> {
    const [events] = await finishRuns(this.ctx, [aFinish(run)]);
    if (!quietly) this.publish(events ?? []);
  }

  publish(events: readonly RunEvent[]): void {
    for (const event of events) this.publisher.publish(runChannel(event.runId), JSON.stringify(event));
  }
}

export interface Frame {
  /** NaN for an id that is not a number. */
  id: number;
  point: string;
  event: string;
  data: { eventType: string; payload: Record<string, unknown>; occurredAt: string; sequence?: number; runId?: string };
}

/** All frames of a stream until it ends or `stop` returns true. */
export async function framesOf(stream: EventStream, stop: (frame: Frame) => boolean = () => false): Promise<Frame[]> {
  const frames: Frame[] = [];
  for await (const { id, event, data } of stream) {
    const frame: Frame = {
      id: Number(id),
      point: id ?? '',
      event: event ?? '',
      data: JSON.parse(data) as Frame['data'],
    };
    frames.push(frame);
    if (stop(frame)) break;
  }
  return frames;
}
