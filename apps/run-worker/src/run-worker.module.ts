import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { ByokOpener, ensureKeyPair } from '@lensforge/byok';
import { cancelChannel } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import {
  type Platform,
  RateLimits,
  platformContext,
  startPeriodicTask,
  startRunChangesPublisher,
} from '@lensforge/edge';
import { createSubscriber } from '@lensforge/queue';
import { type CountRun, admitWaiting, limitRuns } from '@lensforge/runs';
import { type DynamicModule, Module } from '@nestjs/common';
import { AgentJobs } from './agents/agent-jobs.js';
import { McpAuthorizations } from './agents/mcp-client/mcp-authorizations.js';
import { McpRefreshes } from './agents/mcp-client/mcp-refreshes.js';
import { McpTools } from './agents/mcp-client/mcp-tools.js';
import { openMcp } from './agents/mcp-client/open-mcp.js';
import { McpJobs } from './agents/mcp-jobs.js';
import { BatchDispatcher } from './batches/batch-dispatcher.js';
import { BattleJobs } from './battles/battle-jobs.js';
import { Admission } from './maintenance/admission.js';
import type { Attempt } from './engine/attempt.js';
import type { Leases } from './engine/leases.js';
import { ByokTests } from './byok-tests.js';
import { runMetrics } from './engine/run-metrics.js';
import { Engine } from './engine/run.js';
import type { WorkerParts } from './engine/worker-parts.js';
import { NodeEngine } from './engine/workflow/node-engine.js';
import type { RunWorkerEnvironment } from './environment.js';
import { startEvaluatingRuns } from './maintenance/evaluation-rules.js';
import { startWatchingLabels } from './maintenance/label-watches.js';
import { startRatings } from './maintenance/ratings.js';
import { startRetention } from './maintenance/retention.js';
import { Schedules } from './maintenance/schedules.js';
import { startCountingVotes } from './maintenance/votes.js';
import { Invariants } from './maintenance/invariants.js';
import { ExperimentJobs } from './experiments/experiment-jobs.js';
import { ExperimentPace } from './experiments/experiment-pace.js';
import { ProgramCalls } from './experiments/program-calls.js';
import { ScorerJobs } from './experiments/scorer-jobs.js';
import { IsolatedProcessPool, type IsolatedProcessPoolParts } from './isolation/isolated-process-pool.js';
import { createOpener, readByokRing } from './byok-opener.js';
import { createWorkerParts, egressOfNodes, openEngine, openNodeEngine } from './open-engines.js';
import { startAnnouncingProviders } from './providers/announce-providers.js';
import { startPublishingPauses } from './providers/publish-pauses.js';
import { openProviders } from './providers/open-providers.js';
import type { Providers } from './providers/providers.js';
import { Reconciler } from './maintenance/reconciler.js';
import { RunJobs } from './run-jobs.js';
import { RunOperations } from './run-operations.js';
import { RunRates } from './run-rates.js';
import { ThreadJobs } from './threads/thread-jobs.js';

type WorkerPlatform = Platform<RunWorkerEnvironment>;

const schedulesMs = 1000;

@Module({})
export class RunWorkerModule {
  static on(platform: WorkerPlatform, isolatedRun: string): DynamicModule {
    const worker = `${hostname()}:${process.pid}:${randomBytes(3).toString('hex')}`;
    const ctx = platformContext(platform);
    const metrics = runMetrics(platform.metrics.registry);
    const providers = openProviders(platform.environment, platform.metrics.registry);
    limitRuns(platform.database, platform.environment.runLimits);
    startRunChangesPublisher(platform, {
      admit: (targets) => admitWaiting(ctx, targets),
      poll: { least: 100, most: 1000 },
    });
    const admission = openAdmission(platform);
    const parts = createWorkerParts(platform, ctx, { worker, providers });
    const mcp = openMcp(platform, ctx);
    const isolated = openIsolatedProcesses(platform, { ctx, worker, entry: isolatedRun, metrics });
    const nodes = openNodeEngine(platform, parts, {
      externalTools: new McpTools(mcp.client),
      concurrency: platform.environment.LENSFORGE_NODE_CONCURRENCY,
      isolate: (job) => isolated.executeNode(job),
    });
    const pace = new ExperimentPace();
    const engine = openEngine(platform, parts, {
      startNodes: (runId) => nodes.start(runId),
      metrics,
      onClaim: ({ cause }) => {
        if (!cause || !('experimentId' in cause)) pace.noteOtherRun();
      },
    });
    subscribeToCancellations(platform, [engine.leases, nodes.leases]);
    startReconciler(platform, admission, nodes);
    startSchedules(platform);
    startAnnouncingProviders(platform, providers);
    startPublishingPauses(platform, providers, worker);
    startBatches(platform, parts);
    startInvariants(platform);
    startRatings(platform);
    startWatchingLabels(platform);
    startEvaluatingRuns(platform);
    const { LENSFORGE_RUN_RETENTION_DAYS: days } = platform.environment;
    startCountingVotes(platform, ctx);
    startRetention({ ctx, days, logger: platform.logger, drain: platform.drain });
    return {
      module: RunWorkerModule,
      controllers: [RunJobs, RunOperations, BattleJobs, ExperimentJobs, ScorerJobs, AgentJobs, McpJobs, ThreadJobs],
      providers: [
        { provide: Engine, useValue: engine },
        { provide: ExperimentPace, useValue: pace },
        { provide: ProgramCalls, useValue: openProgramCalls(platform) },
        { provide: RunRates, useValue: new RunRates(platform) },
        { provide: NodeEngine, useValue: nodes },
        { provide: McpRefreshes, useValue: new McpRefreshes({ client: mcp.client, log: platform.logger }) },
        { provide: McpAuthorizations, useValue: mcp.authorizations },
        { provide: ByokTests, useValue: openByokTests(platform, ctx, providers) },
        { provide: IsolatedProcessPool, useValue: isolated },
      ],
    };
  }
}

/** Publishes the key that seals BYOK keys, and opens the tests of BYOK keys. */
function openByokTests({ environment, logger }: WorkerPlatform, ctx: Context, providers: Providers): ByokTests {
  const ring = readByokRing(environment);
  if (ring) {
    ensureKeyPair(ctx, ring).catch((err: unknown) =>
      logger.error({ err }, 'the key pair for BYOK keys cannot be stored; users cannot create BYOK keys yet'),
    );
  }
  return new ByokTests({ ctx, opener: ring && new ByokOpener(ring), providers, log: logger });
}

const openProgramCalls = ({ environment }: WorkerPlatform): ProgramCalls =>
  new ProgramCalls({ egress: egressOfNodes(environment), opener: createOpener(environment) });

function openIsolatedProcesses(
  { environment, logger, drain }: WorkerPlatform,
  parts: Pick<IsolatedProcessPoolParts, 'ctx' | 'entry' | 'worker' | 'metrics'>,
): IsolatedProcessPool {
  const pool = new IsolatedProcessPool({
    ...parts,
    environment: getSettings(environment),
    silenceMs: environment.LENSFORGE_RUN_LEASE_MS,
    log: logger,
  });
  drain.onDrain('isolated runs', () => pool.drain());
  drain.onExit('isolated runs', () => pool.kill());
  return pool;
}

/** The configuration as environment variables for another process. */
const getSettings = (environment: RunWorkerEnvironment): Record<string, string> =>
  Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );

/** A message only speeds a cancellation up; the engines also read cancellations from PostgreSQL once a second. */
function subscribeToCancellations(
  { environment, logger: log, drain }: WorkerPlatform,
  leases: readonly Pick<Leases<Attempt>, 'check' | 'checkAll'>[],
): void {
  const subscriber = createSubscriber({ server: environment.redisAddress, prefix: environment.REDIS_PREFIX, log });
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
    prefix: environment.queuePrefix,
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

function startBatches(platform: WorkerPlatform, { ctx, providers, keys, log }: WorkerParts): void {
  const { LENSFORGE_BATCH_PACE_MS: paceMs, LENSFORGE_PROVIDER_FIRST_BYTE_MS: firstByteMs } = platform.environment;
  const leaseMs = Math.max(10 * paceMs, 2 * firstByteMs);
  const dispatcher = new BatchDispatcher({ ctx, providers, keys, log, paceMs, leaseMs });
  const everyMs = Math.min(paceMs, 5000);
  startPeriodicTask(platform, { name: 'batches of requests', ...spread(everyMs) }, () => dispatcher.round());
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
