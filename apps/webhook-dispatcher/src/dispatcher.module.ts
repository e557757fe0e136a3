import type { Platform } from '@lensforge/edge';
import { startRelay } from '@lensforge/edge';
import { egress, egressPolicy } from '@lensforge/egress';
import { keyRing, readMasterKeys } from '@lensforge/vault';
import type { DynamicModule } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { Courier } from './courier.js';
import { DeliveriesController } from './deliveries.controller.js';
import type { DispatcherEnvironment } from './environment.js';
import { EventsController } from './events.controller.js';
import { HandOver } from './hand-over.js';
import { Leases } from './leases.js';
import { Measures } from './measures.js';
import { Post } from './post.js';
import { Reconciler } from './reconciler.js';

@Module({})
export class DispatcherModule {
  static on(platform: Platform<DispatcherEnvironment>): DynamicModule {
    const { environment, database, metrics } = platform;
    const measures = new Measures(metrics.registry, database.manager);
    // Retries lie in the outbox until they are due: a slow sweep would make them late.
    const handOver = new HandOver(startRelay(platform, { poll: { least: 100, most: 250 } }));
    const post = new Post(
      openEgress(environment),
      keyRing(readMasterKeys(environment.LENSFORGE_MASTER_KEY)),
      platform.now,
    );
    const courier = new Courier(platform, post, startLeases(platform), measures);
    startReconciler(platform, handOver, measures);
    return {
      module: DispatcherModule,
      controllers: [EventsController, DeliveriesController],
      providers: [
        { provide: HandOver, useValue: handOver },
        { provide: Courier, useValue: courier },
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

function startReconciler(platform: Platform<DispatcherEnvironment>, handOver: HandOver, measures: Measures): void {
  const reconciler = new Reconciler(platform, handOver, measures);
  reconciler.start();
  platform.drain.onDrain('reconciler', () => reconciler.stop());
}

function startLeases(platform: Platform<DispatcherEnvironment>): Leases {
  const leases = new Leases(platform);
  leases.start();
  platform.drain.onExit('leases', () => leases.stop());
  return leases;
}
