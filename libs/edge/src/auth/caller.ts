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
import { answerInTime } from '../rest/answer-in-time.js';
import type { Bearer } from './bearer.js';
import { successEnvelope } from '../rest/envelope.js';
import { Identifier } from './identify.js';
import { fewLargeBodies } from '../rest/large-bodies.js';
import type { Per } from '../limits/rate-limit-subjects.js';
import { rateLimitSubjectOf } from '../limits/rate-limit-subjects.js';
import type { RateLimits } from '../limits/rate-limits.js';
import { rateLimitHeaders, tooMany, tooManyAtOnce } from '../limits/rate-limits.js';
import { HttpFault, scopeChallenge } from '../rest/rest-errors.js';
import { currentTraceparent, readTraceparent } from '../observability/telemetry.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on routes that ask for a credential, before the body is read. */
    caller: Context | undefined;
    /** What the route began to read while it was found out who asks. */
    foreseen: Promise<unknown> | undefined;
  }

  interface FastifyContextConfig {
    endpoint?: Endpoint;
    credential?: Admission;
    foresee?: Prefetch;
    credentialOf?: CredentialOf;
    /** The body of a refusal where it is not our envelope; undefined leaves it to that. */
    refusal?: (fault: HttpFault) => object | undefined;
  }
}

/** What a route outside of the endpoint table asks for. */
export interface Admission {
  /** A class of the service's `rates`, counted for each account or for each credential. */
  rate?: string;
  per?: Per;
  /** How many requests one with this body counts as; 1 when absent. */
  cost?: (body: unknown) => number;
}

/**
 * Begins a read that the route will need, beside that of the credential, when there is one. What it finds is for the use
 * case to judge.
 */
export type Prefetch = (
  db: EntityManager,
  request: Pick<FastifyRequest, 'params' | 'headers'>,
) => Promise<unknown> | undefined;

/** Another way than a bearer token to tell who asks, on a route that has one; undefined when the request does not try it. */
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

/** Puts before each route of an endpoint what its row asks for. Fastify hooks, so that a stranger's body is never read. */
export function guardEndpoints(http: FastifyInstance, parts: GuardParts): void {
  http.decorateRequest('givenUp', false);
  http.decorateRequest('foreseen', undefined);
  const identifier = new Identifier(parts);
  http.decorate('authenticate', (request: FastifyRequest) => parts.bearer.authenticate(request));
  const takeIn = fewLargeBodies(http.initialConfig.bodyLimit ?? 0);
  http.addHook('onRoute', (route) => {
    const { endpoint, credential } = route.config ?? {};
    const admission = credential ?? (endpoint && admissionOf(endpoint));
    if (admission) {
      route.onRequest = [
        ...[route.onRequest ?? []].flat(),
        answerInTime,
        ...(route.config?.foresee ? [foreseeWith(parts.db, route.config.foresee)] : []),
        (request, reply) => admit({ ...parts, identifier }, admission, endpoint, request, reply),
      ];
      if (admission.cost) {
        route.preHandler = [
          ...[route.preHandler ?? []].flat(),
          (request, reply) => chargeRest(parts.limits, admission, endpoint, request, reply),
        ];
      }
    }
    if (!endpoint) return;
    if (endpoint.rawBody) route.onRequest = [...[route.onRequest ?? []].flat(), answerInTime];
    if (!endpoint.query && !endpoint.rawBody) {
      route.preHandler = [...[route.preHandler ?? []].flat(), takesNoQuery];
    }
    if (endpoint.largeBody) {
      route.bodyLimit = endpoint.largeBody.bytes;
      route.onRequest = [...[route.onRequest ?? []].flat(), takeIn];
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

const takesNoQuery: preHandlerHookHandler = (request, _reply, done) => {
  refuseQuery(request);
  done();
};

/** For an endpoint without query parameters: any that are sent are refused. */
export function refuseQuery({ query }: Pick<FastifyRequest, 'query'>): void {
  const names = Object.keys(query as object);
  if (names.length === 0) return;
  const message = 'is not a known query parameter; this endpoint takes none';
  throw new InvalidInput(names.map((path): RequestIssue => ({ in: 'query', path, message })));
}

const foreseeWith =
  (db: EntityManager, foresee: Prefetch): onRequestHookHandler =>
  (request, _reply, done) => {
    if (request.headers.authorization !== undefined) request.foreseen = foresee(db, request);
    request.foreseen?.catch(() => undefined);
    done();
  };

const admissionOf = (endpoint: Endpoint): Admission | undefined =>
  asksForCredential(endpoint) ? { ...(endpoint.cost && { cost: endpoint.cost }) } : undefined;

/** The rate class that a request counts in; undefined when it is not counted. */
function rateOf(
  { rate }: Admission,
  endpoint: Endpoint | undefined,
  { query }: Pick<FastifyRequest, 'query'>,
): string | undefined {
  if (!endpoint) return rate;
  const named = rateClassOf(endpoint, query);
  return named === 'none' ? undefined : named;
}

async function admit(
  parts: GuardParts & { identifier: Identifier },
  admission: Admission,
  endpoint: Endpoint | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { actor, allowance } = await parts.identifier.identify(request, reply, {
    rate: rateOf(admission, endpoint, request),
    per: admission.per ?? 'account',
    other: request.routeOptions.config.credentialOf?.(parts, request, reply),
  });
  request.caller = contextOf(parts, request, actor);
  if (allowance) {
    reply.headers(rateLimitHeaders(allowance));
    if (!allowance.allowed) throw tooMany(allowance);
  }
  if (actor.accountId === noAccountId && actor.userId !== null && !isAboutOneself(endpoint)) throw withoutHandle();
  if (!endpoint) return;
  const { scopes, audience = 'accounts' } = endpoint;
  if (!audiences[audience].includes(actor.credential.kind)) throw notForThese(audience);
  if (scopes.length > 0 && !scopes.some((scope) => grants(actor.scopes, scope))) throw outOfScope(scopes, actor);
}

/** Counts what a request costs beyond the one that was counted before its body was read. */
async function chargeRest(
  limits: RateLimits,
  admission: Admission,
  endpoint: Endpoint | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const rate = rateOf(admission, endpoint, request);
  const cost = admission.cost?.(request.body) ?? 1;
  const { caller } = request;
  if (!caller || rate === undefined || cost <= 1) return;
  const allowance = await limits.take(rate, rateLimitSubjectOf(caller.actor, request, admission.per), cost - 1);
  reply.headers(rateLimitHeaders(allowance));
  if (!allowance.allowed) throw tooManyAtOnce(cost, allowance);
}

/** Where somebody chooses the handle that everything else needs. */
const isAboutOneself = (endpoint: Endpoint | undefined): boolean =>
  endpoint !== undefined && /^\/v1\/me(\/|$)/.test(endpoint.path);

const withoutHandle = (): HttpFault =>
  new HttpFault(403, 'forbidden', 'Choose a handle first: what you make belongs to your lenser profile');

const people: readonly CredentialKind[] = ['session', 'developer'];
const accounts: readonly CredentialKind[] = [...people, 'mcp', 'organisation', 'service'];
const audiences: Readonly<Record<Audience, readonly CredentialKind[]>> = {
  public: [...accounts, 'anonymous'],
  accounts,
  people,
  session: ['session'],
};

const wanted: Readonly<Record<Audience, string>> = {
  public: 'a credential',
  accounts: 'a credential of an account; an anonymous one only reads public things',
  people: 'a session or developer token',
  session: 'the session token of a person who has signed in',
};

const notForThese = (audience: Audience): HttpFault =>
  new HttpFault(403, 'forbidden', `This needs ${wanted[audience]}`);

export function contextOf(
  { db, now }: Pick<GuardParts, 'db' | 'now'>,
  { id, headers }: FastifyRequest,
  actor: Actor,
): Context {
  const traceparent = currentTraceparent() ?? readTraceparent(headers.traceparent);
  return { actor, db, now, requestId: id, ...(traceparent && { traceparent }) };
}

function outOfScope(scopes: readonly Scope[], { credential }: Actor): HttpFault {
  const words = scopes.join(' or ');
  const isOutOfReach = credential.kind === 'developer' && !scopes.some((scope) => grants(developerScopes, scope));
  const lack = isOutOfReach
    ? 'which a developer token cannot carry: use a session token'
    : 'which the credential does not carry';
  return new HttpFault(
    403,
    'insufficient_scope',
    `This needs the scope ${words}, ${lack}`,
    { 'www-authenticate': scopeChallenge(scopes) },
    { scopes },
  );
}
