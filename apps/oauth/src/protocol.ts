import { type Context, platformActor } from '@lensforge/core';
import { Platform, RateLimits, createRequestContext, networkSubject, enforceRateLimit } from '@lensforge/edge';
import { type Issuer, type OAuthClient, findClient, oauthError } from '@lensforge/identity';
import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { OAuthEnvironment } from './environment.js';
import type { Parameters } from './pages/parameters.js';

/** Steps that all endpoints of the protocol share. */
@Injectable()
export class Protocol {
  constructor(
    private readonly platform: Platform<OAuthEnvironment>,
    private readonly limits: RateLimits,
  ) {}

  /** Counts the request for its network. */
  async admit(rate: 'register' | 'token', request: FastifyRequest, reply: FastifyReply): Promise<Context> {
    reply.header('pragma', 'no-cache');
    enforceRateLimit(reply, await this.limits.take(rate, networkSubject(request)));
    return createRequestContext({ db: this.platform.database.manager, now: this.platform.now }, request, platformActor);
  }

  /** The client of a form, if it belongs to this issuer. */
  async readClient(ctx: Context, form: Parameters, issuer: Issuer): Promise<OAuthClient> {
    const client = await findClient(ctx, needed(form, 'client_id'), issuer);
    if (!client) throw oauthError('invalid_client', 'client_id is unknown: register the client again');
    return client;
  }
}

/** A parameter; an empty value counts as omitted (RFC 6749, 3.2). */
export const given = (form: Parameters, name: string): string | undefined => form.get(name) || undefined;

export function needed(form: Parameters, name: string): string {
  const value = given(form, name);
  if (value === undefined) throw oauthError('invalid_request', `${name} is missing`);
  return value;
}
