import { hash } from 'node:crypto';
import type { Actor } from '@lensforge/core';
import { noAccountId } from '@lensforge/core';
import { networkOf } from '@lensforge/identity';
import type { FastifyRequest } from 'fastify';
import { callerAddress } from '../auth/caller-address.js';

/** Whether requests are counted for an account, or for each credential of it. */
export type Per = 'account' | 'credential';

type Caller = Pick<FastifyRequest, 'headers' | 'raw' | 'server'>;

/** What requests without an account are counted for: an IPv4 address, or an IPv6 /64. */
export const networkSubject = (request: Caller): string => `network ${networkOf(callerAddress(request))}`;

/** What a request is counted for. Holders of a read token use up nothing that its maker has. */
export function rateLimitSubjectOf(actor: Actor, request: Caller, per: Per = 'account'): string {
  const { accountId, userId, credential } = actor;
  if (credential.readToken !== undefined) return `read token ${credential.readToken}`;
  if (accountId === noAccountId && userId === null) return networkSubject(request);
  if (per === 'credential') return credential.id;
  return accountId === noAccountId ? (userId ?? networkSubject(request)) : accountId;
}

/** What stands for an Authorization header here; the header itself is not kept. */
export const nameOfHeader = (authorization: string | undefined): string =>
  hash('sha256', authorization ?? '', 'base64');

const mostRemembered = 10_000;

/**
 * Whose limits a credential counted against when it was last accepted. Nothing else follows from it: whether the
 * credential is valid is asked each time.
 */
export class RateLimitSubjects {
  private readonly known = new Map<string, Readonly<Record<Per, string>>>();

  of(name: string): Readonly<Record<Per, string>> | undefined {
    return this.known.get(name);
  }

  remember(name: string, { accountId, credential }: Actor): void {
    if (accountId === noAccountId || this.known.has(name)) return;
    makeRoom(this.known);
    this.known.set(name, { account: accountId, credential: credential.id });
  }

  forget(name: string): void {
    this.known.delete(name);
  }
}

const refusedForMs = 5000;

/** Credentials that were refused a moment ago. */
export class RefusedCredentials {
  private readonly until = new Map<string, number>();

  add(name: string): void {
    makeRoom(this.until);
    this.until.set(name, performance.now() + refusedForMs);
  }

  has(name: string): boolean {
    const until = this.until.get(name);
    if (until === undefined) return false;
    if (performance.now() < until) return true;
    this.until.delete(name);
    return false;
  }
}

/** The oldest entry goes when there are too many. */
function makeRoom(entries: Map<string, unknown>): void {
  const [oldest] = entries.keys();
  if (entries.size >= mostRemembered && oldest !== undefined) entries.delete(oldest);
}
