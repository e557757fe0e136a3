import type { Actor } from '@lensforge/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from './logging.js';
import type { Metrics } from './metrics.js';
import { beginRequestSpan, endRequestSpan, isTracing, readTraceparent } from './telemetry.js';

const probes = new Set(['/health', '/live', '/ready', '/metrics']);

type RequestHook = (request: FastifyRequest, reply: FastifyReply, next: () => void) => void;

/** Writes one log line, one measurement and one span per request when it ends, also when the client disconnects. */
export function observer({ logger, metrics }: { logger: Logger; metrics: Metrics }): RequestHook {
  return (request, reply, next) => {
    const startedAt = performance.now();
    const response = reply.raw;
    const route = request.routeOptions.url ?? '(none)';
    const { method } = request;
    const finish = (): { status: number } => {
      const ms = performance.now() - startedAt;
      const status = response.statusCode;
      metrics.requests.observe({ method, route, status }, ms / 1000);
      logger[probes.has(route) ? 'debug' : 'info'](
        {
          requestId: request.id,
          method,
          route,
          status,
          durationMs: Math.round(ms * 10) / 10,
          ...accountOf(request),
          ...(!response.writableFinished && { aborted: true }),
        },
        'request',
      );
      return { status };
    };
    if (!isTracing()) {
      response.once('close', finish);
      next();
      return;
    }
    const span = beginRequestSpan(method, readTraceparent(request.headers.traceparent), next);
    response.once('close', () => endRequestSpan(span, { method, route, ...finish() }));
  };
}

const accountOf = (request: FastifyRequest): { account?: string } => {
  const actor: Actor | undefined = request.caller?.actor;
  return actor ? { account: actor.accountId } : {};
};
