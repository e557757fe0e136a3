import type { Audience, Endpoint, RequestIssue, Scope } from '@lensforge/contracts';
import { InvalidInput, asksForCredential, grants, rateClassOf } from '@lensforge/contracts';
import type { Actor, Clock, Context, CredentialKind } from '@lensforge/core';
import { noAccountId } from '@lensforge/core';
import { developerScopes } from '@lensforge/identity';
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  onRequestHookHandler,
  preHandlerHookHandler,
} from 'fastify';
import type { EntityManager } from 'typeorm';
import { limitResponseTime } from '../rest/response-timeout.js';
import type { Bearer } from './bearer.js';
import { successEnvelope } from '../rest/envelope.js';
import { Identifier } from './identify.js';
import { limitLargeBodies } from '../rest/large-bodies.js';
import type { CountedBy } from '../limits/rate-limit-subjects.js';
import { rateLimitSubjectOf } from '../limits/rate-limit-subjects.js';
import type { RateLimits } from '../limits/rate-limits.js';
import { rateLimitHeaders, tooMany, costTooHigh } from '../limits/rate-limits.js';
import { HttpFault, scopeChallenge } from '../rest/rest-errors.js';
import { currentTraceparent, readTraceparent } from '../observability/telemetry.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set before the body is read, on routes that need a credential. */
    caller: Context | undefined;
    /** The read that the route started while its credential was checked. */
    prefetched: Promise<unknown> | undefined;
  }

  interface FastifyContextConfig {
    endpoint?: Endpoint;
    credential?: CredentialRule;
    prefetch?: Prefetch;
    credentialOf?: CredentialOf;
    /** The body of an error reply in another format than the envelope; undefined for the envelope. */
    refusal?: (fault: HttpFault) => object | undefined;
  }
}

/** Rate limit and cost of a route outside of the endpoint table. */
export interface CredentialRule {
  /** A rate class of the service's `rates`. */
  rate?: string;
  per?: CountedBy;
  /** The number of requests that one with this body counts as; 1 when absent. */
  cost?: (body: unknown) => number;
}

/** Starts a read that the route needs, at the same time as that of the credential; the use case checks its result. */
export type Prefetch = (
  db: EntityManager,
  request: Pick<FastifyRequest, 'params' | 'headers'>,
) => Promise<unknown> | undefined;

/** Authenticates a request without a bearer token; undefined when the request has no such credential. */
export type CredentialOf = (
  parts: Pick<GuardParts, 'bearer' | 'db'>,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<Actor> | undefined;

export interface GuardParts {
  bearer: Bearer;
  limits: RateLimits;
  db: EntityManager;
  now: Clock;
}

/** Adds the checks of the endpoint table to each route, as hooks that run before the body of the request is read. */
export function guardEndpoints(http: FastifyInstance, parts: GuardParts): void {
  http.decorateRequest('timedOut', false);
  http.decorateRequest('prefetched', undefined);
  const identifier = new Identifier(parts);
  http.decorate('authenticate', (request: FastifyRequest) => parts.bearer.authenticate(request));
  const limitBodies = limitLargeBodies(http.initialConfig.bodyLimit ?? 0);
  http.addHook('onRoute', (route) => {
    const { endpoint, credential } = route.config ?? {};
    const rule = credential ?? (endpoint && ruleOf(endpoint));
    if (rule) {
      route.onRequest = [
        ...[route.onRequest ?? []].flat(),
        limitResponseTime,
        ...(route.config?.prefetch ? [prefetchWith(parts.db, route.config.prefetch)] : []),
        (request, reply) => authorise({ ...parts, identifier }, rule, endpoint, request, reply),
      ];
      if (rule.cost) {
        route.preHandler = [
          ...[route.preHandler ?? []].flat(),
          (request, reply) => chargeRest(parts.limits, rule, endpoint, request, reply),
        ];
      }
    }
    if (!endpoint) return;
    if (endpoint.rawBody) route.onRequest = [...[route.onRequest ?? []].flat(), limitResponseTime];
    if (!endpoint.query && !endpoint.rawBody) {
      route.preHandler = [...[route.preHandler ?? []].flat(), refuseAnyQuery];
    }
    if (endpoint.largeBody) {
      route.bodyLimit = endpoint.largeBody.bytes;
      route.onRequest = [...[route.onRequest ?? []].flat(), limitBodies];
    }
    if (endpoint.replies === 'envelope' || endpoint.replies === 'list') {
      route.preSerialization = (request, reply, payload, done) => {
        done(null, successEnvelope(payload, request.id, Math.round(reply.elapsedTime)));
      };
    }
    if (endpoint.replies === 'event-stream' && route.method === 'HEAD') {
      route.handler = () => {
        throw new HttpFault(405, 'method_not_allowed', 'HEAD is not possible on an event stream; use GET', {
          allow: 'GET',
        });
      };
    }
  });
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

const prefetchWith =
  (db: EntityManager, prefetch: Prefetch): onRequestHookHandler =>
  (request, _reply, done) => {
    if (request.headers.authorization !== undefined) request.prefetched = prefetch(db, request);
    request.prefetched?.catch(() => undefined);
    done();
  };

const ruleOf = (endpoint: Endpoint): CredentialRule | undefined =>
  asksForCredential(endpoint) ? { ...(endpoint.cost && { cost: endpoint.cost }) } : undefined;

/** The rate class that a request counts in; undefined when it is not counted. */
function rateOf(
  { rate }: CredentialRule,
  endpoint: Endpoint | undefined,
  { query }: Pick<FastifyRequest, 'query'>,
): string | undefined {
  if (!endpoint) return rate;
  const named = rateClassOf(endpoint, query);
  return named === 'none' ? undefined : named;
}

async function authorise(
  parts: GuardParts & { identifier: Identifier },
  rule: CredentialRule,
  endpoint: Endpoint | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { actor, allowance } = await parts.identifier.identify(request, reply, {
    rate: rateOf(rule, endpoint, request),
    per: rule.per ?? 'account',
    other: request.routeOptions.config.credentialOf?.(parts, request, reply),
  });
  request.caller = contextOf(parts, request, actor);
  if (allowance) {
    reply.headers(rateLimitHeaders(allowance));
    if (!allowance.allowed) throw tooMany(allowance);
  }
  if (actor.accountId === noAccountId && actor.userId !== null && !isMeEndpoint(endpoint)) throw handleRequired();
  if (!endpoint) return;
  const { scopes, audience = 'accounts' } = endpoint;
  if (!audiences[audience].includes(actor.credential.kind)) throw wrongAudience(audience);
  if (scopes.length > 0 && !scopes.some((scope) => grants(actor.scopes, scope))) throw outOfScope(scopes, actor);
}

/** Counts the cost of a request beyond the 1 that was counted before its body was read. */
async function chargeRest(
  limits: RateLimits,
  rule: CredentialRule,
  endpoint: Endpoint | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const rate = rateOf(rule, endpoint, request);
  const cost = rule.cost?.(request.body) ?? 1;
  const { caller } = request;
  if (!caller || rate === undefined || cost <= 1) return;
  const allowance = await limits.take(rate, rateLimitSubjectOf(caller.actor, request, rule.per), cost - 1);
  reply.headers(rateLimitHeaders(allowance));
  if (!allowance.allowed) throw costTooHigh(cost, allowance);
}

/** True for the endpoints that a person uses before choosing a handle. */
const isMeEndpoint = (endpoint: Endpoint | undefined): boolean =>
  endpoint !== undefined && /^\/v1\/me(\/|$)/.test(endpoint.path);

const handleRequired = (): HttpFault =>
  new HttpFault(403, 'forbidden', 'Choose a handle first: what you create belongs to your lenser profile');

const people: readonly CredentialKind[] = ['session', 'developer'];
const accounts: readonly CredentialKind[] = [...people, 'mcp', 'organisation', 'service'];
const audiences: Readonly<Record<Audience, readonly CredentialKind[]>> = {
  public: [...accounts, 'anonymous'],
  accounts,
  people,
  session: ['session'],
};

const credentialNames: Readonly<Record<Audience, string>> = {
  public: 'a credential',
  accounts: 'a credential of an account; an anonymous one only reads public things',
  people: 'a session or developer token',
  session: 'the session token of a person who has signed in',
};

const wrongAudience = (audience: Audience): HttpFault =>
  new HttpFault(403, 'forbidden', `This needs ${credentialNames[audience]}`);

export function contextOf(
  { db, now }: Pick<GuardParts, 'db' | 'now'>,
  { id, headers }: FastifyRequest,
  actor: Actor,
): Context {
  const traceparent = currentTraceparent() ?? readTraceparent(headers.traceparent);
  return { actor, db, now, requestId: id, ...(traceparent && { traceparent }) };
}

function outOfScope(scopes: readonly Scope[], { credential }: Actor): HttpFault {
  const wantedScopes = scopes.join(' or ');
  const isNeverGranted = credential.kind === 'developer' && !scopes.some((scope) => grants(developerScopes, scope));
  const lack = isNeverGranted
    ? 'which a developer token cannot carry: use a session token'
    : 'which the credential does not carry';
  return new HttpFault(
    403,
    'insufficient_scope',
    `This needs the scope ${wantedScopes}, ${lack}`,
    { 'www-authenticate': scopeChallenge(scopes) },
    { scopes },
  );
}
