import { type Platform, platformContext, startPeriodicTask, startRunChangesPublisher } from '@lensforge/edge';
import { egress, egressPolicy, readNetworks } from '@lensforge/egress';
import { admitWaiting, limitRuns } from '@lensforge/runs';
import { keyRing, readMasterKeys } from '@lensforge/vault';
import { advanceReplays, reconcileDeliveries, sweepWebhooks } from '@lensforge/webhooks';
import { type DynamicModule, Module } from '@nestjs/common';
import { AttemptRunner } from './attempt-runner.js';
import { Dispatch } from './dispatch.js';
import type { DispatcherEnvironment } from './environment.js';
import { EventsController } from './events.controller.js';
import { Leases } from './leases.js';
import { Notices } from './notices.js';
import { OverdueRuns } from './overdue-runs.js';
import { WebhookMetrics } from './webhook-metrics.js';
import { WebhookSender } from './webhook-sender.js';

type DispatcherPlatform = Platform<DispatcherEnvironment>;

const sweepMs = 30_000;
const noticesMs = 5000;

@Module({})
export class DispatcherModule {
  static on(platform: DispatcherPlatform): DynamicModule {
    const { environment, database, metrics } = platform;
    const webhookMetrics = new WebhookMetrics(metrics.registry, database.manager);
    startOverdueRuns(platform);
    const sender = new WebhookSender(
      openEgress(environment),
      keyRing(readMasterKeys(environment.LENSFORGE_MASTER_KEY)),
      platform.now,
    );
    const dispatch = startDispatch(
      platform,
      new AttemptRunner(platform, sender, startLeases(platform), webhookMetrics),
    );
    startPeriodicTasks(platform, dispatch, webhookMetrics);
    return {
      module: DispatcherModule,
      controllers: [EventsController],
      providers: [
        { provide: Dispatch, useValue: dispatch },
        { provide: WebhookMetrics, useValue: webhookMetrics },
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

function startDispatch(platform: DispatcherPlatform, attempts: AttemptRunner): Dispatch {
  const dispatch = new Dispatch(platform, attempts);
  dispatch.start();
  platform.drain.onDrain('deliveries', () => dispatch.stop(platform.environment.LENSFORGE_DRAIN_MS * 0.6));
  return dispatch;
}

function startPeriodicTasks(platform: DispatcherPlatform, dispatch: Dispatch, metrics: WebhookMetrics): void {
  const { environment, logger } = platform;
  const { LENSFORGE_RECONCILE_MS: reconcileMs, LENSFORGE_WEBHOOK_RETENTION_DAYS: days, mail } = environment;

  startPeriodicTask(platform, { name: 'restoring lost webhook deliveries', everyMs: reconcileMs }, async () => {
    const { lostAttempts, more } = await reconcileDeliveries(platformContext(platform));
    if (lostAttempts > 0) {
      logger.warn({ lostAttempts }, 'webhook deliveries of lost workers were restored');
      metrics.retaken(lostAttempts);
      dispatch.wakeUp();
    }
    return more;
  });

  startPeriodicTask(platform, { name: 'replaying webhook events', everyMs: reconcileMs }, async () => {
    const made = await advanceReplays(platformContext(platform));
    if (made > 0) dispatch.wakeUp();
    return made > 0;
  });

  startPeriodicTask(platform, { name: 'deleting old webhook events', everyMs: sweepMs }, async () => {
    const { more } = await sweepWebhooks(platformContext(platform), { days });
    return more;
  });

  if (!mail) return;
  const notices = new Notices(platform, mail);
  startPeriodicTask(platform, { name: 'sending notices', everyMs: noticesMs }, () =>
    notices.send(platformContext(platform)),
  );
}

function startOverdueRuns(platform: DispatcherPlatform): void {
  const { LENSFORGE_RECONCILE_MS: everyMs, runLimits } = platform.environment;
  limitRuns(platform.database, runLimits);
  const ctx = platformContext(platform);
  startRunChangesPublisher(platform, { admit: (targets) => admitWaiting(ctx, targets) });
  const overdueRuns = new OverdueRuns(platform);
  startPeriodicTask(platform, { name: 'settling overdue runs', everyMs }, () =>
    overdueRuns.round(platformContext(platform)),
  );
}

function startLeases(platform: DispatcherPlatform): Leases {
  const leases = new Leases(platform);
  leases.start();
  platform.drain.onExit('leases', () => leases.stop());
  return leases;
}
