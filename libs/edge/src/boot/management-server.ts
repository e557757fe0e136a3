import type { FastifyInstance } from 'fastify';
import { openHttpServer } from '../rest/http-server.js';
import { listen } from './listen.js';
import type { Platform } from './platform.js';
import { type ProbeParts, serveHealth, serveProbes } from './probes.js';

export interface ManagementServer {
  /** Resolves with the URL. */
  listen(): Promise<string>;
}

/**
 * Opens the server of probes and metrics on LENSFORGE_MANAGEMENT_PORT; undefined when that is not set. Its exit hook is
 * registered first and so runs last: the server answers while the process drains.
 */
export function openManagementServer(platform: Platform): ManagementServer | undefined {
  const { environment, logger, metrics, drain } = platform;
  const { host, LENSFORGE_MANAGEMENT_PORT: port, LENSFORGE_BODY_LIMIT_BYTES: bodyLimit } = environment;
  if (port === undefined) return undefined;
  const http = openHttpServer({ logger, metrics, drain, bodyLimit });
  serveHealth(http, toProbeParts(platform));
  serveProbes(http, toProbeParts(platform));
  drain.onExit('management', () => {
    http.server.closeAllConnections();
    return http.close();
  });
  return { listen: () => listen(http, { PORT: port, host }, 'LENSFORGE_MANAGEMENT_PORT') };
}

/** Serves all probes on the port of the service, or /health alone when the others have a port of their own. */
export function servePublicProbes(http: FastifyInstance, platform: Platform): void {
  serveHealth(http, toProbeParts(platform));
  if (platform.environment.LENSFORGE_MANAGEMENT_PORT === undefined) serveProbes(http, toProbeParts(platform));
}

const toProbeParts = ({ probe, redis, drain, metrics }: Platform): ProbeParts => ({
  database: probe,
  redis,
  drain,
  metrics,
});
