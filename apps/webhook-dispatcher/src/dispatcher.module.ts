import type { Platform } from '@lensforge/edge';
import { RateLimits, startOutboxPublisher } from '@lensforge/edge';
import { egress, egressPolicy, readNetworks } from '@lensforge/egress';
import type { OutboxPublisher } from '@lensforge/queue';
import type { CountRun } from '@lensforge/runs';
import { limitRuns } from '@lensforge/runs';
import { keyRing, readMasterKeys } from '@lensforge/vault';
import { advanceReplays, reconcileDeliveries, sweepWebhooks } from '@lensforge/webhooks';
import type { DynamicModule } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { AttemptRunner } from './attempt-runner.js';
import { Dispatch } from './dispatch.js';
import type { DispatcherEnvironment } from './environment.js';
import { EventsController } from './events.controller.js';
import { Leases } from './leases.js';
import { WebhookMetrics } from './webhook-metrics.js';
import { Notices } from './notices.js';
import { OverdueRuns } from './overdue-runs.js';
import { WebhookSender } from './webhook-sender.js';
import { PeriodicTask } from './periodic-task.js';
import { Schedules } from './schedules/schedules.js';

const SWEEP_MS = 30_000;
const NOTICES_MS = 5000;
const TICKS_MS = 1000;

@Module({})
export class DispatcherModule {
  static on(platform: Platform<DispatcherEnvironment>): DynamicModule {
    const { environment, database, metrics } = platform;
    const measures = new WebhookMetrics(metrics.registry, database.manager);
    const relay = startOutboxPublisher(platform);
    startSchedules(platform, relay);
    endOverdueRuns(platform, relay);
    const post = new WebhookSender(
      openEgress(environment),
      keyRing(readMasterKeys(environment.LENSFORGE_MASTER_KEY)),
      platform.now,
    );
    const dispatch = startDispatch(platform, new AttemptRunner(platform, post, startLeases(platform), measures));
    startRounds(platform, dispatch, measures);
    return {
      module: DispatcherModule,
      controllers: [EventsController],
      providers: [
        { provide: Dispatch, useValue: dispatch },
        { provide: WebhookMetrics, useValue: measures },
      ],
    };
  }
}

function openEgress(environment: DispatcherEnvironment) {
  const allowPrivate = environment.LENSFORGE_WEBHOOKS_ALLOW_PRIVATE;
  return egress(
    egressPolicy({
      allowPrivate,
      allow: readNetworks(environment.LENSFORGE_EGRESS_ALLOW),
      allowHttp: allowPrivate || environment.LENSFORGE_WEBHOOKS_ALLOW_HTTP,
      ports: allowPrivate ? 'any' : environment.ports,
      headersMs: environment.LENSFORGE_WEBHOOK_TIMEOUT_MS,
      totalMs: environment.totalMs,
    }),
  );
}

function startDispatch(platform: Platform<DispatcherEnvironment>, courier: AttemptRunner): Dispatch {
  const dispatch = new Dispatch(platform, courier);
  dispatch.start();
  platform.drain.onDrain('deliveries', () => dispatch.stop(platform.environment.LENSFORGE_DRAIN_MS * 0.6));
  return dispatch;
}

function startRounds(platform: Platform<DispatcherEnvironment>, dispatch: Dispatch, measures: WebhookMetrics): void {
  const { environment, logger } = platform;
  const { LENSFORGE_RECONCILE_MS, LENSFORGE_WEBHOOK_RETENTION_DAYS, mail } = environment;

  new PeriodicTask(
    platform,
    { everyMs: LENSFORGE_RECONCILE_MS, what: 'taking up lost webhook deliveries' },
    async (ctx) => {
      const { lostAttempts, more } = await reconcileDeliveries(ctx);
      if (lostAttempts > 0) {
        logger.warn({ lostAttempts }, 'webhook deliveries were taken up again');
        measures.retaken(lostAttempts);
        dispatch.ring();
      }
      return more;
    },
  ).start();

  new PeriodicTask(platform, { everyMs: LENSFORGE_RECONCILE_MS, what: 'replaying webhook events' }, async (ctx) => {
    const made = await advanceReplays(ctx);
    if (made > 0) dispatch.ring();
    return made > 0;
  }).start();

  new PeriodicTask(platform, { everyMs: SWEEP_MS, what: 'sweeping up old webhook events' }, async (ctx) => {
    const { more } = await sweepWebhooks(ctx, { days: LENSFORGE_WEBHOOK_RETENTION_DAYS });
    return more;
  }).start();

  if (!mail) return;
  const notices = new Notices(platform, mail);
  new PeriodicTask(platform, { everyMs: NOTICES_MS, what: 'telling owners of disabled webhooks' }, (ctx) =>
    notices.send(ctx),
  ).start();
}

function startSchedules(platform: Platform<DispatcherEnvironment>, relay: OutboxPublisher): void {
  const { LENSFORGE_RUN_TIMEOUT_MS: timeoutMs, runLimits, ratesPerMinute, REDIS_PREFIX: prefix } = platform.environment;
  limitRuns(platform.database, runLimits);
  const { redis, metrics, logger } = platform;
  const perMinute = { run: ratesPerMinute.run };
  const limits = new RateLimits({ redis, metrics, logger, prefix, perMinute, replicas: 1 });
  const countRun: CountRun = (accountId, rate) => limits.tryCount(rate, accountId);
  const schedules = new Schedules(platform, { timeoutMs, countRun }, (rows) => relay.handOver(rows));
  new PeriodicTask(platform, { everyMs: TICKS_MS, what: 'starting what schedules ask for' }, (ctx) =>
    schedules.round(ctx),
  ).start();
}

function endOverdueRuns(platform: Platform<DispatcherEnvironment>, relay: OutboxPublisher): void {
  const overdue = new OverdueRuns(platform, relay);
  const everyMs = platform.environment.LENSFORGE_RECONCILE_MS;
  new PeriodicTask(platform, { everyMs, what: 'ending overdue runs' }, (ctx) => overdue.round(ctx)).start();
}

function startLeases(platform: Platform<DispatcherEnvironment>): Leases {
  const leases = new Leases(platform);
  leases.start();
  platform.drain.onExit('leases', () => leases.stop());
  return leases;
}
