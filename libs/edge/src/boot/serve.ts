import 'reflect-metadata';
import type { TokenKind } from '@lensforge/identity';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import { Bearer, type RequestHeaders, type TokenVerifier } from '../auth/bearer.js';
import { guardEndpoints } from '../rest/guard-endpoints.js';
import { endConnections } from './end-connections.js';
import type { PlatformEnvironment } from './environment.js';
import { releaseMemorySoon } from './release-memory.js';
import { openHttpServer } from '../rest/http-server.js';
import { listen } from './listen.js';
import { NestLogger } from '../observability/logging.js';
import { openManagementServer, servePublicProbes } from './management-server.js';
import { type AppModule, ErrorForwarder, PlainFastifyAdapter, rootModule } from '../rest/nest-adapter.js';
import { OpaqueTokens, tokenNames } from '../auth/opaque-tokens.js';
import { type Platform, type PlatformDefinition, type PlatformOverrides, openPlatform } from './platform.js';
import { RateLimits } from '../limits/rate-limits.js';
import { runProcess } from './run-process.js';

export interface ServiceDefinition<E extends PlatformEnvironment> extends PlatformDefinition<E> {
  module: AppModule<E>;
  /** The kinds of opaque tokens that the service accepts. */
  tokens?: readonly TokenKind[];
  /** The service's name in messages, such as `the REST API`. */
  displayName?: string;
  /** Verifiers of other credentials, such as the JWTs of an issuer. */
  verifiers?: (platform: Platform<E>) => readonly TokenVerifier[];
  /** Requests per minute and account, by rate class. */
  rates?: (environment: E) => Readonly<Record<string, number>>;
  replicas?: (environment: E) => number;
  publicUrl?: (environment: E) => string | undefined;
  /** Adds content types, hooks and plain routes to the server, before Nest adds the controllers. */
  prepare?: (http: FastifyInstance, platform: Platform<E>) => void;
  /** More parameters of WWW-Authenticate in a 401. */
  challenge?: (environment: E, request: RequestHeaders) => string;
}

export interface Service<E extends PlatformEnvironment = PlatformEnvironment> {
  platform: Platform<E>;
  url: string;
  /** The URL of probes and metrics when LENSFORGE_MANAGEMENT_PORT is set. */
  managementUrl?: string;
  /** Drains as on SIGTERM; resolves with true when all hooks ended in time. */
  stop(): Promise<boolean>;
}

/** Runs an HTTP service as this process, until a signal stops it. */
export const serve = <E extends PlatformEnvironment>(definition: ServiceDefinition<E>): Promise<void> =>
  runProcess(definition.name, async () => releaseMemorySoon(await startService(definition)));

/** Starts an HTTP service in this process, without signal handlers. */
export async function startService<E extends PlatformEnvironment>(
  definition: ServiceDefinition<E>,
  overrides: PlatformOverrides = {},
): Promise<Service<E>> {
  const platform = await openPlatform(definition, overrides);
  const { environment, drain } = platform;
  const stop = (): Promise<boolean> => drain.run(environment.LENSFORGE_DRAIN_MS, environment.leaveMs);
  if (!overrides.drain) platform.metrics.collectProcess();
  try {
    await definition.startCheck?.(platform);
    const management = openManagementServer(platform);
    const app = await openApp(definition, platform);
    const url = await listen(app.getHttpAdapter().getInstance(), environment);
    const managementUrl = await management?.listen();
    return { platform, url, ...(managementUrl !== undefined && { managementUrl }), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function openApp<E extends PlatformEnvironment>(
  definition: ServiceDefinition<E>,
  platform: Platform<E>,
): Promise<NestFastifyApplication> {
  const { environment, logger, metrics, drain, database, redis, now } = platform;
  const http = openHttpServer({
    logger,
    metrics,
    drain,
    bodyLimit: environment.LENSFORGE_BODY_LIMIT_BYTES,
    trustedProxies: environment.LENSFORGE_TRUSTED_PROXIES,
    successPercent: environment.LOG_SUCCESS_PERCENT,
    publicUrl: definition.publicUrl?.(environment),
  });
  servePublicProbes(http, platform);
  const tokens = new OpaqueTokens({ db: database.manager, kinds: definition.tokens ?? [], logger });
  drain.onExit('token use', () => tokens.close());
  const { challenge, displayName, tokens: kinds = [] } = definition;
  const signed = definition.verifiers?.(platform) ?? [];
  const bearer = new Bearer({
    verifiers: [tokens, ...signed],
    requirement: displayName && `${displayName} needs ${tokensInWords(kinds, signed.length > 0)}`,
    challenge: challenge && ((request) => challenge(environment, request)),
  });
  const limits = new RateLimits({
    redis,
    prefix: environment.REDIS_PREFIX,
    perMinute: definition.rates?.(environment) ?? {},
    replicas: definition.replicas?.(environment) ?? 1,
    metrics,
    logger,
  });
  guardEndpoints(http, { bearer, limits, db: database.manager, now });
  definition.prepare?.(http, platform);

  const app = await NestFactory.create<NestFastifyApplication>(
    await rootModule(platform, definition.module, [
      { provide: Bearer, useValue: bearer },
      { provide: RateLimits, useValue: limits },
    ]),
    new PlainFastifyAdapter(http),
    { logger: new NestLogger(logger), bodyParser: false, abortOnError: false },
  );
  app.useGlobalFilters(new ErrorForwarder());
  await app.init();
  drain.onDrain('http', endConnections(http.server, Math.min(1000, environment.LENSFORGE_DRAIN_MS / 10)));
  drain.onExit('http', () => {
    http.server.closeAllConnections();
    return app.close();
  });
  return app;
}

/** Names token kinds in words, such as `a developer, organisation or session token`. */
function tokensInWords(kinds: readonly TokenKind[], signed: boolean): string {
  const [first = 'a session token', ...others] = [
    ...kinds.map((kind) => tokenNames[kind]),
    ...(signed ? ['a session token'] : []),
  ];
  if (others.length === 0) return first;
  const words = [first.replace(/ token$/, ''), ...others.map((name) => name.replace(/^an? | token$/g, ''))];
  return `${words.slice(0, -1).join(', ')} or ${words.at(-1)} token`;
}
