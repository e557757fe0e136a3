import { InvalidInput, type RequestIssue } from '@lensforge/contracts';
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  RouteOptions,
  onRequestAsyncHookHandler,
  onRequestHookHandler,
  onSendAsyncHookHandler,
  preHandlerAsyncHookHandler,
  preHandlerHookHandler,
  preSerializationHookHandler,
} from 'fastify';
import { type GuardParts, authorise, chargeRest, toGuardedRoute } from '../auth/authorise.js';
import { Identifier } from '../auth/identify.js';
import { successEnvelope } from './envelope.js';
import { limitLargeBodies } from './large-bodies.js';
import { limitResponseTime } from './response-timeout.js';
import { HttpFault } from './rest-errors.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The body of an error reply in another format than the envelope; undefined for the envelope. */
    refusal?: (fault: HttpFault) => object | undefined;
  }
}

/** Adds the checks of the endpoint table to each route, as hooks that run before the body of the request is read. */
export function guardEndpoints(http: FastifyInstance, given: GuardParts): void {
  http.decorateRequest('timedOut', false);
  http.decorateRequest('allowTime', undefined);
  http.decorateRequest('counted', undefined);
  http.decorate('authenticate', (request: FastifyRequest) => given.bearer.authenticate(request));
  const parts = { ...given, identifier: new Identifier(given) };
  const limitBodies = limitLargeBodies(http.initialConfig.bodyLimit ?? 0);
  http.addHook('onRoute', (route) => {
    const { endpoint, credential } = route.config ?? {};
    const guarded = toGuardedRoute(endpoint, credential);
    if (guarded) {
      addOnRequest(route, limitResponseTime);
      addOnRequest(route, (request: FastifyRequest, reply: FastifyReply) => authorise(parts, guarded, request, reply));
      if (guarded.cost)
        addPreHandler(route, (request: FastifyRequest, reply: FastifyReply) =>
          chargeRest(parts.limits, guarded, request, reply),
        );
    }
    if (!endpoint) return;
    if (endpoint.rawBody) addOnRequest(route, limitResponseTime);
    if (!endpoint.query && !endpoint.rawBody) addPreHandler(route, refuseAnyQuery);
    if (endpoint.largeBody) {
      route.bodyLimit = endpoint.largeBody.bytes;
      addOnRequest(route, limitBodies);
    }
    if (endpoint.replies === 'envelope' || endpoint.replies === 'list') route.preSerialization = wrapInEnvelope;
    if (endpoint.replies === 'event-stream') {
      route.onSend = waitForCount;
      if (route.method === 'HEAD') route.handler = refuseHead;
    }
  });
}

function addOnRequest(route: RouteOptions, hook: onRequestHookHandler | onRequestAsyncHookHandler): void {
  route.onRequest = [...[route.onRequest ?? []].flat(), hook];
}

function addPreHandler(route: RouteOptions, hook: preHandlerHookHandler | preHandlerAsyncHookHandler): void {
  route.preHandler = [...[route.preHandler ?? []].flat(), hook];
}

const refuseAnyQuery: preHandlerHookHandler = (request, _reply, done) => {
  refuseQuery(request);
  done();
};

/** Refuses the query parameters of a request whose endpoint has none. */
export function refuseQuery({ query }: Pick<FastifyRequest, 'query'>): void {
  const names = Object.keys(query as object);
  if (names.length === 0) return;
  const message = 'is not a known query parameter; this endpoint takes none';
  throw new InvalidInput(names.map((path): RequestIssue => ({ in: 'query', path, message })));
}

const wrapInEnvelope: preSerializationHookHandler = (request, reply, payload, done) => {
  done(null, successEnvelope(payload, request.id, Math.round(reply.elapsedTime)));
};

/** Adds the headers of the rate limit to an error that was found before the request was counted. */
const waitForCount: onSendAsyncHookHandler = async ({ counted }, _reply, payload) => {
  await counted?.catch(() => undefined);
  return payload;
};

function refuseHead(): never {
  throw new HttpFault(405, 'method_not_allowed', 'HEAD is not possible on an event stream; use GET', {
    headers: { allow: 'GET' },
  });
}
