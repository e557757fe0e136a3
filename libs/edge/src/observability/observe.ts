import type { Actor } from '@lensforge/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isFromTrustedProxy } from '../auth/caller-address.js';
import type { Logger } from './logging.js';
import type { Metrics } from './metrics.js';
import { requestSampler } from './request-sampler.js';
import { beginRequestSpan, endRequestSpan, isTracing, readTraceparent } from './telemetry.js';

const probes = new Set(['/health', '/live', '/ready', '/metrics']);

interface ObserverOptions {
  logger: Logger;
  metrics: Metrics;
  /** The share of successful requests that is logged, as in LOG_SUCCESS_PERCENT. */
  successPercent: number;
}

type RequestHook = (request: FastifyRequest, reply: FastifyReply, next: () => void) => void;

/** Writes one log line, one measurement and one span per request when it ends, also when the client disconnects. */
export function observer({ logger, metrics, successPercent }: ObserverOptions): RequestHook {
  const isLogged = requestSampler(successPercent);
  return (request, reply, next) => {
    const startedAt = performance.now();
    const response = reply.raw;
    const route = request.routeOptions.url ?? '(none)';
    const { method } = request;
    const finish = (): { status: number } => {
      const ms = performance.now() - startedAt;
      const status = response.statusCode;
      metrics.requests.observe({ method, route, status }, ms / 1000);
      const aborted = !response.writableFinished;
      if (!isLogged({ status, durationMs: ms, aborted })) return { status };
      logger[probes.has(route) ? 'debug' : 'info'](
        {
          requestId: request.id,
          method,
          route,
          status,
          durationMs: Math.round(ms * 10) / 10,
          ...getAccount(request),
          ...getIngressId(request),
          ...(aborted && { aborted }),
          ...(successPercent < 100 && { successPercent }),
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

const ingressIdForm = /^[\w.-]{1,128}$/;

/** The request id of the ingress. A client must not choose ids in our log, so only trusted proxies may send one. */
function getIngressId(request: FastifyRequest): { ingressRequestId?: string } {
  const id = request.headers['x-request-id'];
  return isFromTrustedProxy(request) && typeof id === 'string' && ingressIdForm.test(id)
    ? { ingressRequestId: id }
    : {};
}

const getAccount = (request: FastifyRequest): { account?: string } => {
  const actor: Actor | undefined = request.caller?.actor;
  return actor ? { account: actor.accountId } : {};
};
