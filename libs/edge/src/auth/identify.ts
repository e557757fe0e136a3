import type { Actor } from '@lensforge/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Bearer } from './bearer.js';
import type { Per } from '../limits/rate-limit-subjects.js';
import {
  RateLimitSubjects,
  RefusedCredentials,
  nameOfHeader,
  networkSubject,
  rateLimitSubjectOf,
} from '../limits/rate-limit-subjects.js';
import { unauthenticated } from '../limits/rate-environment.js';
import type { Allowance, RateLimits } from '../limits/rate-limits.js';
import { rateLimitHeaders, tooMany } from '../limits/rate-limits.js';
import { HttpFault } from '../rest/rest-errors.js';

export interface Identified {
  actor: Actor;
  /** Absent when the route is not counted. */
  allowance: Allowance | undefined;
}

export interface Identification {
  rate: string | undefined;
  per: Per;
  /** Another credential than a bearer token that the request brought. */
  other: Promise<Actor> | undefined;
}

/**
 * Finds out who calls, and counts the request in its rate class. Requests whose credential is refused are counted for their
 * network; beyond that limit they get 429 instead of 401, while valid credentials of the same network still pass.
 */
export class Identifier {
  private readonly payers = new RateLimitSubjects();
  private readonly refused = new RefusedCredentials();

  constructor(private readonly parts: { bearer: Bearer; limits: RateLimits }) {}

  async identify(request: FastifyRequest, reply: FastifyReply, asked: Identification): Promise<Identified> {
    const name = nameOfHeader(request.headers.authorization);
    // A token that cannot be right, or was not a moment ago, is counted before anything is read for it.
    const isSuspect = !asked.other && (!this.parts.bearer.recognises(request) || this.refused.has(name));
    if (isSuspect) await countUnauthenticated(this.parts.limits, request, reply);
    try {
      return await (asked.other
        ? this.countAfter(asked.other, request, asked)
        : this.countBeside(name, request, asked));
    } catch (reason) {
      if (!(reason instanceof HttpFault) || reason.status !== 401) throw reason;
      if (!asked.other) this.refused.add(name);
      if (!isSuspect) await countUnauthenticated(this.parts.limits, request, reply);
      throw reason;
    }
  }

  private async countAfter(other: Promise<Actor>, request: FastifyRequest, asked: Identification): Promise<Identified> {
    const actor = await other;
    return { actor, allowance: await this.count(actor, request, asked) };
  }

  /**
   * A credential that was accepted before is counted while it is looked up. One that is refused is forgotten, so that it
   * uses up no more of the limit of its account.
   */
  private async countBeside(name: string, request: FastifyRequest, asked: Identification): Promise<Identified> {
    const { rate, per } = asked;
    const expected = this.payers.of(name)?.[per];
    const early = rate === undefined || expected === undefined ? undefined : this.parts.limits.take(rate, expected);
    early?.catch(() => undefined);
    try {
      const actor = await this.parts.bearer.authenticate(request);
      this.payers.remember(name, actor);
      const isRight = expected === rateLimitSubjectOf(actor, request, per);
      return { actor, allowance: await (early && isRight ? early : this.count(actor, request, asked)) };
    } catch (reason) {
      this.payers.forget(name);
      throw reason;
    }
  }

  private async count(
    actor: Actor,
    request: FastifyRequest,
    { rate, per }: Identification,
  ): Promise<Allowance | undefined> {
    return rate === undefined ? undefined : this.parts.limits.take(rate, rateLimitSubjectOf(actor, request, per));
  }
}

/** Counts a request whose caller is not known, and refuses it when its network has made too many of them. */
export async function countUnauthenticated(
  limits: RateLimits,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const allowance = await limits.take(unauthenticated, networkSubject(request));
  reply.headers(rateLimitHeaders(allowance));
  if (!allowance.allowed) throw tooMany(allowance);
}
