import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { ByokOpener, ensureKeyPair } from '@lensforge/byok';
import { cancelChannel } from '@lensforge/contracts';
import { recordRunChanges } from '@lensforge/database';
import type { Platform } from '@lensforge/edge';
import {
  RateLimits,
  platformContext,
  startOutboxPublisher,
  startPeriodicTask,
  startRunChangesPublisher,
} from '@lensforge/edge';
import { createSubscriber } from '@lensforge/queue';
import type { CountRun } from '@lensforge/runs';
import { admitWaiting, limitRuns } from '@lensforge/runs';
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
import { startAnnouncingProviders } from './providers/announce-providers.js';
import { openProviders } from './providers/open-providers.js';
import type { Providers } from './providers/providers.js';
import { Reconciler } from './maintenance/reconciler.js';
import { RunJobs } from './run-jobs.js';
import { RunOperations } from './run-operations.js';
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
    const ctx = platformContext(platform);
    startRunChangesPublisher(platform, { outbox, admit: (targets) => admitWaiting(ctx, targets) });
    const admission = openAdmission(platform);
    const runEnded = (accountId: string) => recordRunChanges(ctx, { toAdmit: [{ accountId, concurrencyKey: null }] });
    const nodes: NodeEngine = openNodeEngine(platform, {
      worker,
      providers,
      concurrency: platform.environment.LENSFORGE_NODE_CONCURRENCY,
      metrics: nodeMetrics(platform.metrics.registry, () => nodes.leases.size),
      handOver: (rows) => void outbox.handOver(rows),
      ended: runEnded,
    });
    const engine = openEngine(platform, worker, metrics, {
      providers,
      ended: runEnded,
      startNodes: (runId) => nodes.start(runId),
    });
    subscribeToCancellations(platform, [engine.leases, nodes.leases]);
    startReconciler(platform, admission, nodes);
    startSchedules(platform);
    startAnnouncingProviders(platform, providers);
    startInvariants(platform);
    const { LENSFORGE_RUN_RETENTION_DAYS: days } = platform.environment;
    startRetention({ ctx: platformContext(platform), days, logger: platform.logger, drain: platform.drain });
    return {
      module: RunWorkerModule,
      controllers: [RunJobs, RunOperations],
      providers: [
        { provide: Engine, useValue: engine },
        { provide: RunRates, useValue: new RunRates(platform) },
        { provide: NodeEngine, useValue: nodes },
        { provide: ByokTests, useValue: openByokTests(platform, providers) },
        {
          provide: IsolatedProcessPool,
          useValue: openIsolatedProcesses(platform, { worker, isolatedRun, metrics, ended: runEnded }),
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
  ended: (accountId: string) => void;
}

function openIsolatedProcesses(
  platform: WorkerPlatform,
  { worker, isolatedRun, metrics, ended }: IsolatedProcessParts,
): IsolatedProcessPool {
  const { environment, logger, drain } = platform;
  const pool = new IsolatedProcessPool({
    ctx: platformContext(platform),
    entry: isolatedRun,
    environment: settingsOf(environment),
    worker,
    silenceMs: environment.LENSFORGE_RUN_LEASE_MS,
    ended,
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

function openAdmission(platform: WorkerPlatform): Admission {
  return new Admission({
    ctx: platformContext(platform),
    registry: platform.metrics.registry,
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

function startSchedules(platform: WorkerPlatform): void {
  const { environment, redis, metrics, logger } = platform;
  const { LENSFORGE_RUN_TIMEOUT_MS: timeoutMs, ratesPerMinute, REDIS_PREFIX: prefix } = environment;
  const perMinute = { run: ratesPerMinute.run };
  const limits = new RateLimits({ redis, metrics, logger, prefix, perMinute, replicas: 1 });
  const countRun: CountRun = (accountId, rate) => limits.tryCount(rate, accountId);
  const schedules = new Schedules(platform, { timeoutMs, countRun });
  startPeriodicTask(platform, { name: 'starting runs of schedules', everyMs: schedulesMs }, () =>
    schedules.round(platformContext(platform)),
  );
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
