import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { ByokOpener, ensureKeyPair } from '@lensforge/byok';
import { cancelChannel } from '@lensforge/contracts';
import type { Platform } from '@lensforge/edge';
import { RateLimits, platformContext, startOutboxPublisher, startPeriodicTask } from '@lensforge/edge';
import type { OutboxPublisher } from '@lensforge/queue';
import { createPublisher, createSubscriber } from '@lensforge/queue';
import type { CountRun } from '@lensforge/runs';
import { limitRuns } from '@lensforge/runs';
import type { DynamicModule } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { Admission } from './maintenance/admission.js';
import type { LeasedWork } from './engine/attempt.js';
import type { Leases } from './engine/leases.js';
import { ByokTests } from './byok-tests.js';
import type { RunMetrics } from './engine/run-metrics.js';
import { runMetrics } from './engine/run-metrics.js';
import { Engine } from './engine/run.js';
import { NodeEngine } from './engine/workflow/node-engine.js';
import { nodeMetrics } from './engine/workflow/node-metrics.js';
import type { RunWorkerEnvironment } from './environment.js';
import { startRetention } from './maintenance/retention.js';
import { Schedules } from './maintenance/schedules.js';
import { Invariants } from './maintenance/invariants.js';
import { IsolatedProcessPool } from './isolation/isolated-process-pool.js';
import { openNodeEngine } from './open-node-engine.js';
import { byokRingOf } from './byok-opener.js';
import { openEngine } from './open-engine.js';
import { eventPublisherOf } from './event-publisher.js';
import { startAnnouncingProviders } from './providers/announce-providers.js';
import { openProviders } from './providers/open-providers.js';
import type { Providers } from './providers/providers.js';
import { Reconciler } from './maintenance/reconciler.js';
import { RunJobs } from './run-jobs.js';
import { OperationPublisher, RunOperations } from './run-operations.js';
import { RunRates } from './run-rates.js';

type WorkerPlatform = Platform<RunWorkerEnvironment>;

const schedulesMs = 1000;

@Module({})
export class RunWorkerModule {
  static on(platform: WorkerPlatform, isolatedRun: string): DynamicModule {
    const worker = `${hostname()}:${process.pid}:${randomBytes(3).toString('hex')}`;
    const metrics: RunMetrics = runMetrics(platform.metrics.registry, () => engine.leases.size);
    const providers = openProviders(platform.environment, platform.metrics.registry);
    limitRuns(platform.database, platform.environment.runLimits);
    const outbox = startOutboxPublisher(platform, { poll: { least: 100, most: 400 } });
    const admission = openAdmission(platform, outbox);
    const nodes: NodeEngine = openNodeEngine(platform, {
      worker,
      providers,
      concurrency: platform.environment.LENSFORGE_NODE_CONCURRENCY,
      metrics: nodeMetrics(platform.metrics.registry, () => nodes.leases.size),
      handOver: (rows) => void outbox.handOver(rows),
      ended: (accountId) => admission.ended(accountId),
    });
    const engine = openEngine(platform, worker, metrics, {
      providers,
      ended: (accountId) => admission.ended(accountId),
      startNodes: (runId) => nodes.start(runId),
    });
    subscribeToCancellations(platform, [engine.leases, nodes.leases]);
    startReconciler(platform, admission, nodes);
    startSchedules(platform, outbox);
    startAnnouncingProviders(platform, providers);
    startInvariants(platform);
    const { LENSFORGE_RUN_RETENTION_DAYS: days } = platform.environment;
    startRetention({ ctx: platformContext(platform), days, logger: platform.logger, drain: platform.drain });
    return {
      module: RunWorkerModule,
      controllers: [RunJobs, RunOperations],
      providers: [
        { provide: Engine, useValue: engine },
        { provide: OperationPublisher, useValue: openOperationPublisher(platform, outbox, admission) },
        { provide: RunRates, useValue: new RunRates(platform) },
        { provide: NodeEngine, useValue: nodes },
        { provide: ByokTests, useValue: openByokTests(platform, providers) },
        {
          provide: IsolatedProcessPool,
          useValue: openIsolatedProcesses(platform, { worker, isolatedRun, metrics, admission }),
        },
      ],
    };
  }
}

/** Publishes the key that seals BYOK keys, and opens the tests of BYOK keys. */
function openByokTests(platform: WorkerPlatform, providers: Providers): ByokTests {
  const { environment, database, logger } = platform;
  const ring = byokRingOf(environment);
  if (ring) {
    ensureKeyPair(platformContext(platform), ring).catch((err: unknown) =>
      logger.error({ err }, 'the key pair for BYOK keys cannot be stored; users cannot create BYOK keys yet'),
    );
  }
  return new ByokTests({ db: database.manager, opener: ring && new ByokOpener(ring), providers, log: logger });
}

interface IsolatedProcessParts {
  worker: string;
  isolatedRun: string;
  metrics: RunMetrics;
  admission: Admission;
}

function openIsolatedProcesses(
  platform: WorkerPlatform,
  { worker, isolatedRun, metrics, admission }: IsolatedProcessParts,
): IsolatedProcessPool {
  const { environment, logger, drain } = platform;
  const pool = new IsolatedProcessPool({
    ctx: platformContext(platform),
    entry: isolatedRun,
    environment: settingsOf(environment),
    worker,
    silenceMs: environment.LENSFORGE_RUN_LEASE_MS,
    ended: (accountId) => admission.ended(accountId),
    log: logger,
    metrics,
  });
  drain.onDrain('isolated runs', () => pool.drain());
  drain.onExit('isolated runs', () => pool.kill());
  return pool;
}

/** The configuration as environment variables for another process. */
const settingsOf = (environment: RunWorkerEnvironment): Record<string, string> =>
  Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );

/** A message only speeds a cancellation up; the engines also read cancellations from PostgreSQL once a second. */
function subscribeToCancellations(
  { environment, logger: log, drain }: WorkerPlatform,
  leases: readonly Pick<Leases<LeasedWork>, 'check' | 'checkAll'>[],
): void {
  const subscriber = createSubscriber({ redisUrl: environment.REDIS_URL, prefix: environment.REDIS_PREFIX, log });
  void subscriber.subscribe(cancelChannel, {
    onMessage: (runId) => leases.forEach((each) => each.check(runId)),
    onGap: () => leases.forEach((each) => each.checkAll()),
  });
  drain.onExit('subscriber', () => subscriber.close());
}

function openAdmission(platform: WorkerPlatform, outbox: OutboxPublisher): Admission {
  const { logger: log, metrics } = platform;
  return new Admission({
    ctx: platformContext(platform),
    handOver: (rows) => outbox.handOver(rows),
    publish: eventPublisherOf(platform),
    log,
    registry: metrics.registry,
    now: () => performance.now(),
  });
}

function startReconciler(platform: WorkerPlatform, admission: Admission, nodes: NodeEngine): void {
  const { environment, redis, logger: log, metrics } = platform;
  const reconciler = new Reconciler({
    ctx: platformContext(platform),
    redis,
    prefix: `{${environment.REDIS_PREFIX}}`,
    now: () => performance.now(),
    publish: eventPublisherOf(platform),
    admission,
    nodes,
    log,
    registry: metrics.registry,
  });
  startPeriodicTask(
    platform,
    { name: 'reconciler', ...spread(environment.LENSFORGE_RECONCILE_MS), until: 'exit' },
    (signal) => reconciler.reconcile(signal),
  );
}

/** The first round comes at a random time, so that workers that start together do not act together. */
const spread = (everyMs: number) => ({ everyMs, firstAfterMs: everyMs * Math.random() });

function startSchedules(platform: WorkerPlatform, outbox: OutboxPublisher): void {
  const { environment, redis, metrics, logger } = platform;
  const { LENSFORGE_RUN_TIMEOUT_MS: timeoutMs, ratesPerMinute, REDIS_PREFIX: prefix } = environment;
  const perMinute = { run: ratesPerMinute.run };
  const limits = new RateLimits({ redis, metrics, logger, prefix, perMinute, replicas: 1 });
  const countRun: CountRun = (accountId, rate) => limits.tryCount(rate, accountId);
  const schedules = new Schedules(platform, { timeoutMs, countRun }, (rows) => outbox.handOver(rows));
  startPeriodicTask(platform, { name: 'starting runs of schedules', everyMs: schedulesMs }, () =>
    schedules.round(platformContext(platform)),
  );
}

function openOperationPublisher(
  platform: WorkerPlatform,
  outbox: OutboxPublisher,
  admission: Admission,
): OperationPublisher {
  const { redis, environment } = platform;
  const publisher = createPublisher({ redis, prefix: environment.REDIS_PREFIX });
  return new OperationPublisher({ outbox, publisher, admission, publish: eventPublisherOf(platform) });
}

function startInvariants(platform: WorkerPlatform): void {
  const { environment, logger: log, metrics } = platform;
  const invariants = new Invariants({ ctx: platformContext(platform), log, registry: metrics.registry });
  startPeriodicTask(
    platform,
    { name: 'checking invariants', ...spread(environment.LENSFORGE_INVARIANTS_MS), until: 'exit' },
    () => invariants.check(),
  );
}
