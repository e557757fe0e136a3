import 'reflect-metadata';
import { BullTransport, type BullTransportOptions } from '@lensforge/queue';
import type { INestMicroservice } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { PlatformEnvironment } from './environment.js';
import { releaseMemorySoon } from './release-memory.js';
import { openHttpServer } from '../rest/http-server.js';
import { listen } from './listen.js';
import { NestLogger } from '../observability/logging.js';
import { openManagementServer, servePublicProbes } from './management-server.js';
import { type AppModule, rootModule } from '../rest/nest-adapter.js';
import {
  type Platform,
  type PlatformDefinition,
  type PlatformOverrides,
  StartupError,
  openPlatform,
} from './platform.js';
import { runProcess } from './run-process.js';
import type { Service } from './serve.js';

export interface WorkerDefinition<E extends PlatformEnvironment> extends PlatformDefinition<E> {
  module: AppModule<E>;
  /** The queues that the service consumes, each with the number of its jobs that run at a time. */
  queues: (environment: E) => BullTransportOptions['queues'];
}

/** Runs a worker as this process, with an HTTP server for the probes. */
export const work = <E extends PlatformEnvironment>(definition: WorkerDefinition<E>): Promise<void> =>
  runProcess(definition.name, async () => releaseMemorySoon(await startWorker(definition)));

/** Starts a worker in this process, without signal handlers. */
export async function startWorker<E extends PlatformEnvironment>(
  definition: WorkerDefinition<E>,
  overrides: PlatformOverrides = {},
): Promise<Service<E>> {
  const platform = await openPlatform(definition, overrides);
  const stop = (): Promise<boolean> => platform.drain.run(platform.environment.LENSFORGE_DRAIN_MS);
  if (!overrides.drain) platform.metrics.collectProcess();
  try {
    await definition.startCheck?.(platform);
    const management = openManagementServer(platform);
    const url = await openProbes(platform);
    const managementUrl = await management?.listen();
    await consume(definition, platform);
    platform.logger.info({ url, queues: definition.queues(platform.environment) }, 'working');
    return { platform, url, ...(managementUrl !== undefined && { managementUrl }), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Serves the probes until all jobs have ended, so that /live answers while the worker drains. */
async function openProbes(platform: Platform): Promise<string> {
  const { environment, logger, metrics, drain } = platform;
  const http = openHttpServer({ logger, metrics, drain, bodyLimit: environment.LENSFORGE_BODY_LIMIT_BYTES });
  servePublicProbes(http, platform);
  const url = await listen(http, environment);
  drain.onExit('http', () => {
    http.server.closeAllConnections();
    return http.close();
  });
  return url;
}

async function consume<E extends PlatformEnvironment>(
  { module, queues }: WorkerDefinition<E>,
  platform: Platform<E>,
): Promise<void> {
  const { environment, logger, metrics, drain } = platform;
  const strategy = new BullTransport({
    server: environment.redisAddress,
    prefix: environment.queuePrefix,
    queues: queues(environment),
    graceMs: environment.LENSFORGE_DRAIN_MS * 0.6,
    log: logger,
    registry: metrics.registry,
  });
  const app = await NestFactory.createMicroservice(await rootModule(platform, module), {
    strategy,
    logger: new NestLogger(logger),
    abortOnError: false,
  });
  await start(app);
  drain.onDrain('jobs', () => app.close());
}

async function start(app: INestMicroservice): Promise<void> {
  try {
    await app.listen();
  } catch (error) {
    throw new StartupError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}
