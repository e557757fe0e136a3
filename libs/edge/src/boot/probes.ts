import type { HealthReport } from '@lensforge/contracts';
import type { FastifyInstance } from 'fastify';
import type { DatabaseProbe } from './database-probe.js';
import type { Drain } from './drain.js';
import type { Metrics } from '../observability/metrics.js';
import { version } from '../version.js';

export interface ProbeParts {
  database: DatabaseProbe;
  /** Undefined for a service without Redis. */
  redis?: { status: string };
  drain: Drain;
  metrics: Metrics;
}

const started = process.hrtime.bigint();

const methods = ['GET', 'HEAD'];

/** Serves /health, for people and load balancers. */
export function serveHealth(http: FastifyInstance, { database }: Pick<ProbeParts, 'database'>): void {
  http.route({
    method: methods,
    url: '/health',
    handler: async (_request, reply) => {
      const reason = await database.check();
      reply.code(reason === undefined ? 200 : 503);
      return report(reason);
    },
  });
}

/** Serves /live and /ready for the orchestrator, and /metrics for Prometheus. */
export function serveProbes(http: FastifyInstance, { database, redis, drain, metrics }: ProbeParts): void {
  let redisReached = redis === undefined;

  http.route({ method: methods, url: '/live', handler: () => ({ status: 'live' }) });

  http.route({
    method: methods,
    url: '/ready',
    handler: async (_request, reply) => {
      const databaseHealthy = (await database.check()) === undefined;
      // Redis must have been reached once, so that a wrong URL shows at start. Runs are accepted without it later.
      redisReached ||= redis?.status === 'ready';
      const ready = databaseHealthy && redisReached && !drain.draining;
      reply.code(ready ? 200 : 503);
      return {
        status: ready ? 'ready' : 'not_ready',
        database: databaseHealthy,
        ...(redis && { redis: redis.status === 'ready' }),
        draining: drain.draining,
      };
    },
  });

  http.route({
    method: methods,
    url: '/metrics',
    handler: async (_request, reply) => {
      reply.type(metrics.registry.contentType);
      return metrics.registry.metrics();
    },
  });
}

function report(reason: string | undefined): HealthReport {
  return {
    status: reason === undefined ? 'ok' : 'degraded',
    db: reason === undefined,
    uptime_s: Number((process.hrtime.bigint() - started) / 1_000_000_000n),
    version,
    checked_at: new Date().toISOString(),
    ...(reason !== undefined && { reason }),
  };
}
