import type { FastifyReply, FastifyRequest } from 'fastify';
import { HttpFault } from './rest-errors.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** True once the caller was told to try again; whatever the work comes to now is for the next call to find. */
    givenUp: boolean;
  }
}

const patienceMs = 7000;

/**
 * Work rides out a restart of the database, but nobody is kept waiting behind one that hangs: a caller who got no answer
 * by then is refused in words. An accepted run is accepted all the same, and the same key finds it.
 */
export function answerInTime(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  const waitsMs = request.routeOptions.config.endpoint?.waitsMs ?? 0;
  const timer = setTimeout(() => {
    if (reply.sent) return;
    request.givenUp = true;
    reply.send(
      new HttpFault(
        503,
        'service_unavailable',
        `There was no answer within ${(patienceMs + waitsMs) / 1000} s; try again`,
        {
          'retry-after': '1',
        },
      ),
    );
  }, patienceMs + waitsMs);
  reply.raw.once('close', () => clearTimeout(timer));
  done();
}
