import type { FastifyReply } from 'fastify';
import { HttpFault } from '../rest/rest-errors.js';
import type { Allowance } from './rate-limits.js';

/** Sets the rate limit headers of a reply; throws when the request, which counts as `cost` requests, is over the limit. */
export function enforceRateLimit(reply: FastifyReply, allowance: Allowance, cost = 1): void {
  const { allowed, limit, remaining, resetSeconds } = allowance;
  reply.headers({
    'ratelimit-limit': String(limit),
    'ratelimit-remaining': String(remaining),
    'ratelimit-reset': String(resetSeconds),
  });
  if (!allowed) throw cost > 1 ? costTooHigh(cost, allowance) : tooMany(allowance);
}

export const tooMany = (allowance: Allowance): HttpFault =>
  rateLimited(`More than ${allowance.limit} requests in a minute; try again in ${allowance.resetSeconds} s`, allowance);

const costTooHigh = (cost: number, allowance: Allowance): HttpFault => {
  const { limit, remaining, resetSeconds } = allowance;
  const advice = cost > limit ? `send at most ${limit} at once` : `try again in ${resetSeconds} s`;
  return rateLimited(
    `This counts as ${cost} requests, and ${remaining} of ${limit} a minute are left; ${advice}`,
    allowance,
  );
};

const rateLimited = (message: string, { limit, resetSeconds }: Allowance): HttpFault =>
  new HttpFault(429, 'rate_limited', message, {
    headers: { 'retry-after': String(resetSeconds) },
    details: { limit, retryAfter: resetSeconds },
  });
