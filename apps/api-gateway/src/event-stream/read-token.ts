import { newId, platformActor, systemClock } from '@lensforge/core';
import { type CredentialOf, HttpFault } from '@lensforge/edge';
import { withDbRetry } from '@lensforge/database';
import { findReader } from '@lensforge/runs';
import type { FastifyRequest } from 'fastify';

const headerToken = ({ headers: { authorization = '' } }: FastifyRequest): string | undefined =>
  /^Bearer (lf_run_.*)$/i.exec(authorization)?.[1];

/**
 * Accepts the read token of a run in the Authorization header, or in the query, because a browser's EventSource cannot send
 * headers. Web pages of any origin may read the response, since no cookie is involved.
 */
export const authenticateReadToken: CredentialOf = ({ db, bearer }, request, reply) => {
  const { token = headerToken(request) } = request.query as { token?: unknown };
  if (token === undefined) return undefined;
  reply.header('access-control-allow-origin', '*');
  const { runId } = request.params as { runId?: string };
  return (async () => {
    const ctx = { actor: platformActor, db, now: systemClock, requestId: newId() };
    const actor =
      typeof token === 'string' && runId !== undefined
        ? await withDbRetry(() => findReader(ctx, { token, runId }))
        : undefined;
    if (actor && (await bearer.reauthorise(actor))) return actor;
    throw new HttpFault(
      401,
      'unauthorized',
      'The read token is not valid for this run or has expired: make one with POST /v1/runs/{runId}/read-token',
      {
        headers: {
          'www-authenticate': 'Bearer',
        },
      },
    );
  })();
};
