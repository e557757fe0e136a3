import {
  type Audience,
  type Endpoint,
  type Scope,
  asksForCredential,
  developerScopes,
  grants,
  pickRateClass,
} from '@lensforge/contracts';
import { type Actor, type Clock, type Context, type CredentialKind, noAccountId } from '@lensforge/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { EntityManager } from 'typeorm';
import { enforceRateLimit } from '../limits/rate-limit-replies.js';
import { type CountedBy, getRateLimitSubject } from '../limits/rate-limit-subjects.js';
import type { RateLimits } from '../limits/rate-limits.js';
import { currentTraceparent, readTraceparent } from '../observability/telemetry.js';
import { HttpFault, scopeChallenge } from '../rest/rest-errors.js';
import type { Bearer } from './bearer.js';
import type { Identifier } from './identify.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set before the body is read, on routes that need a credential. */
    caller: Context | undefined;
    /** Set for event streams, which are read while they are counted; rejects when the caller is over the rate limit. */
    counted: Promise<void> | undefined;
  }

  interface FastifyContextConfig {
    endpoint?: Endpoint;
    credential?: CredentialRule;
    credentialOf?: CredentialOf;
  }
}

/** Rate limit and cost of a route outside of the endpoint table. */
export interface CredentialRule {
  /** A rate class of the service's `rates`. */
  rate?: string;
  per?: CountedBy;
  /** The number of requests that one with this body counts as; 1 when absent. */
  cost?: (body: unknown) => number;
  /** The kinds of credentials that the route accepts; all when absent. */
  audience?: Audience;
}

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

/** A route that needs a credential, with its row of the endpoint table if it has one. */
export interface GuardedRoute extends CredentialRule {
  endpoint?: Endpoint | undefined;
}

export function toGuardedRoute(endpoint?: Endpoint, credential?: CredentialRule): GuardedRoute | undefined {
  if (credential) return { ...credential, endpoint };
  if (!endpoint || !asksForCredential(endpoint)) return undefined;
  return { endpoint, ...(endpoint.cost && { cost: endpoint.cost }) };
}

/** Authenticates and counts a request, sets its caller, and refuses callers who may not use the endpoint. */
export async function authorise(
  parts: GuardParts & { identifier: Identifier },
  route: GuardedRoute,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { actor, allowance } = await parts.identifier.identify(request, reply, {
    rate: pickRate(route, request),
    per: route.per ?? 'account',
    other: request.routeOptions.config.credentialOf?.(parts, request, reply),
  });
  request.caller = createRequestContext(parts, request, actor);
  const isStream = route.endpoint?.replies === 'event-stream';
  // A count that has arrived comes first in the race, so that nothing is read for a caller who is known to be over it.
  const known = await (isStream ? Promise.race([allowance, Promise.resolve()]) : allowance);
  if (known) enforceRateLimit(reply, known);
  else request.counted = allowance?.then((each) => enforceRateLimit(reply, each));
  request.counted?.catch(() => undefined);
  requireHandle(actor, route);
  if (route.audience) requireAudience(actor, route);
  if (!route.endpoint) return;
  requireAudience(actor, route.endpoint);
  requireScope(actor, route.endpoint);
}

/** Counts the cost of a request beyond the 1 that was counted before its body was read. */
export async function chargeRest(
  limits: RateLimits,
  route: GuardedRoute,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const rate = pickRate(route, request);
  const cost = route.cost?.(request.body) ?? 1;
  const { caller } = request;
  if (!caller || rate === undefined || cost <= 1) return;
  const allowance = await limits.take(rate, getRateLimitSubject(caller.actor, request, route.per), cost - 1);
  enforceRateLimit(reply, allowance, cost);
}

/** The rate class that a request counts in; undefined when it is not counted. */
function pickRate({ endpoint, rate }: GuardedRoute, { query }: FastifyRequest): string | undefined {
  if (!endpoint) return rate;
  const named = pickRateClass(endpoint, query);
  return named === 'none' ? undefined : named;
}

function requireHandle({ accountId, userId }: Actor, { endpoint }: GuardedRoute): void {
  if (accountId !== noAccountId || userId === null || endpoint?.withoutHandle) return;
  throw new HttpFault(403, 'forbidden', 'Choose a handle first: what you create belongs to your lenser profile');
}

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

function requireAudience({ credential }: Actor, { audience = 'accounts' }: Pick<Endpoint, 'audience'>): void {
  if (audiences[audience].includes(credential.kind)) return;
  throw new HttpFault(403, 'forbidden', `This needs ${credentialNames[audience]}`);
}

function requireScope(actor: Actor, { scopes }: Endpoint): void {
  if (scopes.length > 0 && !scopes.some((scope) => grants(actor.scopes, scope))) throw outOfScope(scopes, actor);
}

function outOfScope(scopes: readonly Scope[], { credential }: Actor): HttpFault {
  const wantedScopes = scopes.join(' or ');
  const isNeverGranted = credential.kind === 'developer' && !scopes.some((scope) => grants(developerScopes, scope));
  const lack = isNeverGranted
    ? 'which a developer token cannot carry: use a session token'
    : 'which the credential does not carry';
  return new HttpFault(403, 'insufficient_scope', `This needs the scope ${wantedScopes}, ${lack}`, {
    headers: { 'www-authenticate': scopeChallenge(scopes) },
    details: { scopes },
  });
}

/** The context of a request that acts as `actor`. */
export function createRequestContext(
  { db, now }: Pick<GuardParts, 'db' | 'now'>,
  { id, headers }: FastifyRequest,
  actor: Actor,
): Context {
  const traceparent = currentTraceparent() ?? readTraceparent(headers.traceparent);
  return { actor, db, now, requestId: id, ...(traceparent && { traceparent }) };
}
