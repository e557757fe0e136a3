import type { FastifyReply, FastifyRequest } from 'fastify';
import { HttpFault } from './rest-errors.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** True once the timeout has sent a 503; a later result of the work is not sent. */
    timedOut: boolean;
    /** Gives the request more time from now on, in addition to the usual timeout; undefined where there is none. */
    allowTime: ((moreMs: number) => void) | undefined;
  }

  interface FastifyContextConfig {
    /** Time for long polling of a route outside of the endpoint table, in addition to the usual response timeout. */
    waitsMs?: number;
  }
}

const timeoutMs = 7000;

/**
 * Sends 503 when a request takes too long, for example while the database hangs. The work continues: a run that was
 * accepted stays accepted, and a retry with the same idempotency key finds it.
 */
export function limitResponseTime(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  const { endpoint, waitsMs = endpoint?.waitsMs ?? 0 } = request.routeOptions.config;
  const begin = (moreMs: number): NodeJS.Timeout =>
    setTimeout(() => {
      if (reply.sent || reply.raw.headersSent) return;
      request.timedOut = true;
      reply.send(
        new HttpFault(
          503,
          'service_unavailable',
          `There was no answer within ${(timeoutMs + moreMs) / 1000} s; try again`,
          {
            headers: {
              'retry-after': '1',
            },
          },
        ),
      );
    }, timeoutMs + moreMs);
  let timer = begin(waitsMs);
  request.allowTime = (moreMs) => {
    clearTimeout(timer);
    timer = begin(moreMs);
  };
  reply.raw.once('close', () => clearTimeout(timer));
  done();
}
