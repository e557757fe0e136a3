import type { Actor } from '@lensforge/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Bearer } from './bearer.js';
import {
  type CountedBy,
  RateLimitSubjectCache,
  RefusedCredentialCache,
  hashOfHeader,
  networkSubject,
  getRateLimitSubject,
} from '../limits/rate-limit-subjects.js';
import { unauthenticated } from '../limits/rate-environment.js';
import { enforceRateLimit } from '../limits/rate-limit-replies.js';
import type { Allowance, RateLimits } from '../limits/rate-limits.js';
import { HttpFault } from '../rest/rest-errors.js';

export interface Identified {
  actor: Actor;
  /** Undefined when the route is not counted. */
  allowance: Promise<Allowance> | undefined;
}

export interface IdentifyOptions {
  rate: string | undefined;
  per: CountedBy;
  /** A credential other than a bearer token. */
  other: Promise<Actor> | undefined;
}

/**
 * Authenticates a request and counts it in its rate class. Requests whose credential is refused are counted for their
 * network; beyond that limit they get 429 instead of 401, while valid credentials of the same network still pass.
 */
export class Identifier {
  private readonly subjects = new RateLimitSubjectCache();
  private readonly refused = new RefusedCredentialCache();

  constructor(private readonly parts: { bearer: Bearer; limits: RateLimits }) {}

  async identify(request: FastifyRequest, reply: FastifyReply, options: IdentifyOptions): Promise<Identified> {
    const name = hashOfHeader(request.headers.authorization);
    // A token of an unknown form, or one that was refused a moment ago, is counted before the database is read for it.
    const isSuspect = !options.other && (!this.parts.bearer.hasKnownForm(request) || this.refused.has(name));
    if (isSuspect) await countUnauthenticated(this.parts.limits, request, reply);
    try {
      return await (options.other
        ? this.countAfter(options.other, request, options)
        : this.countConcurrently(name, request, options));
    } catch (reason) {
      if (!(reason instanceof HttpFault) || reason.status !== 401) throw reason;
      if (!options.other) this.refused.add(name);
      if (!isSuspect) await countUnauthenticated(this.parts.limits, request, reply);
      throw reason;
    }
  }

  private async countAfter(
    other: Promise<Actor>,
    request: FastifyRequest,
    options: IdentifyOptions,
  ): Promise<Identified> {
    const actor = await other;
    return { actor, allowance: this.count(actor, request, options) };
  }

  /**
   * Counts a credential that was accepted before while it is looked up. A refused one is forgotten, so that it uses up no
   * more of the limit of its account.
   */
  private async countConcurrently(
    name: string,
    request: FastifyRequest,
    options: IdentifyOptions,
  ): Promise<Identified> {
    const { rate, per } = options;
    const expected = this.subjects.of(name)?.[per];
    const early = rate === undefined || expected === undefined ? undefined : this.parts.limits.take(rate, expected);
    early?.catch(() => undefined);
    try {
      const actor = await this.parts.bearer.authenticate(request);
      this.subjects.remember(name, actor);
      const isRight = expected === getRateLimitSubject(actor, request, per);
      return { actor, allowance: early && isRight ? early : this.count(actor, request, options) };
    } catch (reason) {
      this.subjects.forget(name);
      throw reason;
    }
  }

  private count(actor: Actor, request: FastifyRequest, { rate, per }: IdentifyOptions): Promise<Allowance> | undefined {
    return rate === undefined ? undefined : this.parts.limits.take(rate, getRateLimitSubject(actor, request, per));
  }
}

/** Counts a request without a valid credential; refuses it when its network has sent too many. */
export async function countUnauthenticated(
  limits: RateLimits,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  enforceRateLimit(reply, await limits.take(unauthenticated, networkSubject(request)));
}
