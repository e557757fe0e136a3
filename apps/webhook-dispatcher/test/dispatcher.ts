import {
  type PlatformEventJob,
  type PlatformEventType,
  type WebhookEndpointWithSecret,
  jobs,
} from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { openTestDatabase } from '@lensforge/database/testing';
import { type Service, startWorker } from '@lensforge/edge';
import { aContext, freshRedisPrefix, serviceSettings } from '@lensforge/testing';
import { type AttemptResult, type WebhookDelivery } from '@lensforge/webhooks';
import { anEndpoint, aPlatformEvent, testMasterKey } from '@lensforge/webhooks/testing';
import type { DispatcherEnvironment } from '../src/environment.js';
import { webhookDispatcher } from '../src/service.js';

type Attempt = Pick<AttemptResult, 'status' | 'error'> & { number: number; answer: string; wait: number };
type Delivery = Pick<WebhookDelivery, 'id' | 'state' | 'attempt' | 'tries' | 'lastError'>;

export interface Dispatcher {
  service: Service<DispatcherEnvironment>;
  ctx: Context;
  /** A second dispatcher on the same database and queue. */
  another(environment?: Record<string, string>): Promise<Service<DispatcherEnvironment>>;
  subscribe(url: string, events?: PlatformEventType[]): Promise<WebhookEndpointWithSecret & { ctx: Context }>;
  /** Inserts an outbox row, as a service does. */
  announce(subscriber: { ctx: Context }, own?: Partial<PlatformEventJob>): Promise<PlatformEventJob>;
  delivery(event: PlatformEventJob): Promise<Delivery>;
  attempts(event: PlatformEventJob): Promise<Attempt[]>;
  metric(name: string, labels?: Record<string, string>): Promise<number>;
  stop(): Promise<void>;
}

/** A dispatcher on real Postgres and Redis. */
export async function aDispatcher(environment: Record<string, string> = {}): Promise<Dispatcher> {
  const database = await openTestDatabase({ poolSize: 4 });
  const prefix = freshRedisPrefix();
  const start = (own: Record<string, string> = {}) =>
    startWorker(webhookDispatcher, {
      environment: {
        ...serviceSettings(database.url, prefix),
        LOG_LEVEL: 'silent',
        LENSFORGE_MASTER_KEY: testMasterKey,
        LENSFORGE_WEBHOOKS_ALLOW_PRIVATE: 'true',
        LENSFORGE_WEBHOOK_RETRY_MS: '300,300,300',
        LENSFORGE_RECONCILE_MS: '200',
        ...environment,
        ...own,
      },
    });
  const service = await start();
  const services = [service];
  const { manager } = database.source;

  return {
    service,
    ctx: database.ctx,
    another: async (own) => {
      const other = await start(own);
      services.push(other);
      return other;
    },
    subscribe: async (url, events) => {
      const ctx = aContext(manager);
      return { ctx, ...(await anEndpoint(ctx, { url, ...(events && { events }) })) };
    },
    announce: async ({ ctx }, own) => {
      const event = aPlatformEvent(ctx.actor.accountId, own);
      await ctx.db.query(
        `insert into outbox (id, job, job_id, payload, request_id, traceparent) values ($1, $2, $3, $4, $5, $6)`,
        [
          event.eventId,
          jobs.fanOutPlatformEvent.name,
          `${event.eventId}-g0`,
          event,
          ctx.requestId,
          ctx.traceparent ?? null,
        ],
      );
      return event;
    },
    delivery: async ({ eventId }) => {
      const [found] = await manager.query<Delivery[]>(
        'select id, state, attempt, tries, last_error as "lastError" from webhook_deliveries where event_id = $1',
        [eventId],
      );
      if (!found) throw new Error(`no delivery of event ${eventId} yet`);
      return found;
    },
    attempts: ({ eventId }) =>
      manager.query<Attempt[]>(
        `select a.number, a.status, a.error, encode(a.answer, 'escape') as answer,
                coalesce(extract(epoch from a.created_at - lag(a.created_at) over (order by a.number)), 0)::float as wait
           from webhook_attempts a join webhook_deliveries d on d.id = a.delivery_id
          where d.event_id = $1 order by a.number`,
        [eventId],
      ),
    metric: async (name, labels = {}) => {
      const text = await (await fetch(`${service.url}/metrics`)).text();
      const line = text
        .split('\n')
        .find(
          (each) =>
            each.startsWith(`${name}{`) &&
            Object.entries(labels).every(([key, value]) => each.includes(`${key}="${value}"`)),
        );
      return Number(line?.split(' ').at(-1) ?? Number.NaN);
    },
    stop: async () => {
      await Promise.all(services.map((each) => each.stop()));
      await database.close();
    },
  };
}
