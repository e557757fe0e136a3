import { hash } from 'node:crypto';
import { type Actor, noAccountId } from '@lensforge/core';
import { toNetwork } from '@lensforge/identity';
import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { callerAddress } from '../auth/caller-address.js';

/** Requests are counted for an account, or for each of its credentials. */
export type CountedBy = 'account' | 'credential';

type Caller = Pick<FastifyRequest, 'headers' | 'raw' | 'server'>;

/** The subject of requests without an account: an IPv4 address, or an IPv6 /64. */
export const networkSubject = (request: Caller): string => `network ${toNetwork(callerAddress(request))}`;

/** The subject that a request is counted for. A read token has limits of its own, apart from those of its creator. */
export function getRateLimitSubject(actor: Actor, request: Caller, per: CountedBy = 'account'): string {
  const { accountId, userId, credential } = actor;
  if (credential.readToken !== undefined) return `read token ${credential.readToken}`;
  if (accountId === noAccountId && userId === null) return networkSubject(request);
  if (per === 'credential') return credential.id;
  return accountId === noAccountId ? (userId ?? networkSubject(request)) : accountId;
}

/** A hash that identifies an Authorization header; the header itself is not stored. */
export const hashOfHeader = (authorization: string | undefined): string =>
  hash('sha256', authorization ?? '', 'base64');

const maxEntries = 10_000;

/** The subjects of credentials that were accepted. The credential itself is checked each time. */
export class RateLimitSubjectCache {
  private readonly known = new LRUCache<string, Readonly<Record<CountedBy, string>>>({ max: maxEntries });

  of(name: string): Readonly<Record<CountedBy, string>> | undefined {
    return this.known.get(name);
  }

  remember(name: string, { accountId, credential }: Actor): void {
    if (accountId === noAccountId || this.known.has(name)) return;
    this.known.set(name, { account: accountId, credential: credential.id });
  }

  forget(name: string): void {
    this.known.delete(name);
  }
}

const refusalTtlMs = 5000;

/** Credentials that were refused in the last few seconds. */
export class RefusedCredentialCache {
  private readonly refused = new LRUCache<string, true>({ max: maxEntries, ttl: refusalTtlMs });

  add(name: string): void {
    this.refused.set(name, true);
  }

  has(name: string): boolean {
    return this.refused.has(name);
  }
}
