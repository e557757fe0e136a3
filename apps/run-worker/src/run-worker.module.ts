import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { ByokOpener, ensureKeyPair } from '@lensforge/byok';
import { cancelChannel } from '@lensforge/contracts';
import { newId, platformActor } from '@lensforge/core';
import type { Platform } from '@lensforge/edge';
import { startOutboxPublisher } from '@lensforge/edge';
import type { OutboxPublisher } from '@lensforge/queue';
import { createPublisher, createSubscriber } from '@lensforge/queue';
import { limitRuns } from '@lensforge/runs';
import type { DynamicModule } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { Admission } from './maintenance/admission.js';
import type { InHand } from './engine/attempt.js';
import type { Leases } from './engine/leases.js';
import { ByokTests } from './byok-tests.js';
import type { RunMetrics } from './engine/run-metrics.js';
import { runMetrics } from './engine/run-metrics.js';
import { Engine } from './engine/run.js';
import { NodeEngine } from './engine/workflow/node-engine.js';
import { nodeMetrics } from './engine/workflow/node-metrics.js';
import type { RunWorkerEnvironment } from './environment.js';
import { RetentionTask } from './maintenance/retention.js';
import { Invariants } from './maintenance/invariants.js';
import { IsolatedProcessPool } from './isolation/isolated-process-pool.js';
import { openNodeEngine } from './open-node-engine.js';
import { byokRingOf } from './byok-opener.js';
import { openEngine, eventPublisherOf } from './open-engine.js';
import { Announcement } from './providers/announcement.js';
import { openProviders } from './providers/open-providers.js';
import type { Providers } from './providers/providers.js';
import { Reconciler } from './maintenance/reconciler.js';
import { RunJobs } from './run-jobs.js';
import { OperationPublisher, RunOperations } from './run-operations.js';
import { RunRates } from './run-rates.js';

type WorkerPlatform = Platform<RunWorkerEnvironment>;

@Module({})
export class RunWorkerModule {
  static on(platform: WorkerPlatform, isolatedRun: string): DynamicModule {
    const worker = `${hostname()}:${process.pid}:${randomBytes(3).toString('hex')}`;
    const measures: RunMetrics = runMetrics(platform.metrics.registry, () => engine.leases.size);
    const providers = openProviders(platform.environment, platform.metrics.registry);
    limitRuns(platform.database, platform.environment.runLimits);
    const relay = startOutboxPublisher(platform, { poll: { least: 100, most: 400 } });
    const admission = openAdmission(platform, relay);
    const nodes: NodeEngine = openNodeEngine(platform, {
      ...{ worker, providers, concurrency: platform.environment.LENSFORGE_NODE_CONCURRENCY },
      measures: nodeMetrics(platform.metrics.registry, () => nodes.leases.size),
      handOver: (rows) => void relay.handOver(rows),
      ended: (accountId) => admission.ended(accountId),
    });
    const engine = openEngine(platform, worker, measures, {
      providers,
      ended: (accountId) => admission.ended(accountId),
      startNodes: (runId) => nodes.start(runId),
    });
    hearCancellations(platform, [engine.leases, nodes.leases]);
    reconcile(platform, admission, nodes);
    announce(platform, providers);
    watchInvariants(platform);
    keepHouse(platform);
    return {
      module: RunWorkerModule,
      controllers: [RunJobs, RunOperations],
      providers: [
        { provide: Engine, useValue: engine },
        { provide: OperationPublisher, useValue: openOperationMail(platform, relay, admission) },
        { provide: RunRates, useValue: new RunRates(platform) },
        { provide: NodeEngine, useValue: nodes },
        { provide: ByokTests, useValue: openByok(platform, providers) },
        { provide: IsolatedProcessPool, useValue: openLane(platform, { worker, isolatedRun, measures, admission }) },
      ],
    };
  }
}

/** Says what keys of users are to be sealed with, and tries those that somebody wants to know of. */
function openByok({ environment, database, logger, now }: WorkerPlatform, providers: Providers): ByokTests {
  const ring = byokRingOf(environment);
  const ctx = { actor: platformActor, db: database.manager, now, requestId: newId() };
  if (ring) {
    ensureKeyPair(ctx, ring).catch((err: unknown) => logger.error({ err }, 'no keys of users can be kept yet'));
  }
  return new ByokTests({ db: database.manager, opener: ring && new ByokOpener(ring), providers, log: logger });
}

interface LaneParts {
  worker: string;
  isolatedRun: string;
  measures: RunMetrics;
  admission: Admission;
}

function openLane(
  platform: WorkerPlatform,
  { worker, isolatedRun, measures, admission }: LaneParts,
): IsolatedProcessPool {
  const { environment, database, logger, drain, now } = platform;
  const lane = new IsolatedProcessPool({
    ctx: { actor: platformActor, db: database.manager, now, requestId: newId() },
    entry: isolatedRun,
    environment: asGiven(environment),
    worker,
    silenceMs: environment.LENSFORGE_RUN_LEASE_MS,
    ended: (accountId) => admission.ended(accountId),
    log: logger,
    measures,
  });
  drain.onDrain('isolated runs', () => lane.drain());
  drain.onExit('isolated runs', () => lane.kill());
  return lane;
}

/** The configuration in the form in which a process reads it. */
const asGiven = (environment: RunWorkerEnvironment): Record<string, string> =>
  Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );

/** The doorbell of cancellations. Whether a run shall stop is read in Postgres, there and then and once a second. */
function hearCancellations(
  { environment, logger: log, drain }: WorkerPlatform,
  held: readonly Pick<Leases<InHand>, 'look' | 'lookAtAll'>[],
): void {
  const subscriber = createSubscriber({ redisUrl: environment.REDIS_URL, prefix: environment.REDIS_PREFIX, log });
  void subscriber.subscribe(cancelChannel, {
    onMessage: (runId) => held.forEach((each) => each.look(runId)),
    onGap: () => held.forEach((each) => each.lookAtAll()),
  });
  drain.onExit('subscriber', () => subscriber.close());
}

function openAdmission(platform: WorkerPlatform, relay: OutboxPublisher): Admission {
  const { database, logger: log, metrics, now } = platform;
  return new Admission({
    ctx: { actor: platformActor, db: database.manager, now, requestId: newId() },
    handOver: (rows) => relay.handOver(rows),
    tell: eventPublisherOf(platform),
    log,
    registry: metrics.registry,
    now: () => performance.now(),
  });
}

function reconcile(platform: WorkerPlatform, admission: Admission, nodes: NodeEngine): void {
  const { environment, database, redis, logger: log, metrics, drain, now } = platform;
  const reconciler = new Reconciler({
    ctx: { actor: platformActor, db: database.manager, now, requestId: newId() },
    redis,
    prefix: `{${environment.REDIS_PREFIX}}`,
    now: () => performance.now(),
    tell: eventPublisherOf(platform),
    admission,
    nodes,
    everyMs: environment.LENSFORGE_RECONCILE_MS,
    log,
    registry: metrics.registry,
  });
  reconciler.start();
  drain.onExit('reconciler', () => reconciler.stop());
}

function openOperationMail(platform: WorkerPlatform, relay: OutboxPublisher, admission: Admission): OperationPublisher {
  const { redis, environment } = platform;
  const publisher = createPublisher({ redis, prefix: environment.REDIS_PREFIX });
  return new OperationPublisher({ relay, publisher, admission, tell: eventPublisherOf(platform) });
}

function keepHouse({ environment, database, logger: log, drain, now }: WorkerPlatform): void {
  const housekeeper = new RetentionTask({
    ctx: { actor: platformActor, db: database.manager, now, requestId: newId() },
    days: environment.LENSFORGE_RUN_RETENTION_DAYS,
    log,
  });
  housekeeper.start();
  drain.onExit('housekeeper', () => housekeeper.stop());
}

function watchInvariants({ environment, database, logger: log, metrics, drain, now }: WorkerPlatform): void {
  const invariants = new Invariants({
    ctx: { actor: platformActor, db: database.manager, now, requestId: newId() },
    everyMs: environment.LENSFORGE_INVARIANTS_MS,
    log,
    registry: metrics.registry,
  });
  invariants.start();
  drain.onExit('invariants', () => invariants.stop());
}

function announce({ database, logger: log, drain }: WorkerPlatform, providers: Providers): void {
  const announcement = new Announcement({ db: database.manager, providers, log });
  announcement.start();
  drain.onExit('providers', () => announcement.stop());
}
