import type { Platform } from '@lensforge/edge';
import { startRelay } from '@lensforge/edge';
import { egress, egressPolicy } from '@lensforge/egress';
import { keyRing, readMasterKeys } from '@lensforge/vault';
import type { DynamicModule } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { Courier } from './courier.js';
import { Dispatch } from './dispatch.js';
import type { DispatcherEnvironment } from './environment.js';
import { EventsController } from './events.controller.js';
import { Leases } from './leases.js';
import { Measures } from './measures.js';
import { Post } from './post.js';
import { Reconciler } from './reconciler.js';

@Module({})
export class DispatcherModule {
  static on(platform: Platform<DispatcherEnvironment>): DynamicModule {
    const { environment, database, metrics } = platform;
    const measures = new Measures(metrics.registry, database.manager);
    startRelay(platform);
    const post = new Post(
      openEgress(environment),
      keyRing(readMasterKeys(environment.LENSFORGE_MASTER_KEY)),
      platform.now,
    );
    const courier = new Courier(platform, post, startLeases(platform), measures);
    const dispatch = startDispatch(platform, courier);
    startReconciler(platform, dispatch, measures);
    return {
      module: DispatcherModule,
      controllers: [EventsController],
      providers: [
        { provide: Dispatch, useValue: dispatch },
        { provide: Measures, useValue: measures },
      ],
    };
  }
}

function openEgress(environment: DispatcherEnvironment) {
  const allowPrivate = environment.LENSFORGE_WEBHOOKS_ALLOW_PRIVATE;
  return egress(
    egressPolicy({
      allowPrivate,
      allowHttp: allowPrivate || environment.LENSFORGE_WEBHOOKS_ALLOW_HTTP,
      ports: allowPrivate ? 'any' : environment.ports,
      headersMs: environment.LENSFORGE_WEBHOOK_TIMEOUT_MS,
      totalMs: environment.totalMs,
    }),
  );
}

function startDispatch(platform: Platform<DispatcherEnvironment>, courier: Courier): Dispatch {
  const dispatch = new Dispatch(platform, courier);
  dispatch.start();
  platform.drain.onDrain('deliveries', () => dispatch.stop(platform.environment.LENSFORGE_DRAIN_MS * 0.6));
  return dispatch;
}

function startReconciler(platform: Platform<DispatcherEnvironment>, dispatch: Dispatch, measures: Measures): void {
  const reconciler = new Reconciler(platform, dispatch, measures);
  reconciler.start();
  platform.drain.onDrain('reconciler', () => reconciler.stop());
}

function startLeases(platform: Platform<DispatcherEnvironment>): Leases {
  const leases = new Leases(platform);
  leases.start();
  platform.drain.onExit('leases', () => leases.stop());
  return leases;
}
