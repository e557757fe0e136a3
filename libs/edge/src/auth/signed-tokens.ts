import { createHash } from 'node:crypto';
import type { Actor, Clock } from '@lensforge/core';
import { LRUCache } from 'lru-cache';
import type { TokenVerifier } from './bearer.js';
import { type Jwt, hasJwtForm, readJwt } from './jwt.js';
import type { KeySet, VerificationKey } from './key-set.js';

const leewaySeconds = 5;
const maxCached = 20_000;

/** Claims of a token whose signature, issuer and audience are valid. */
export interface Claims {
  readonly subject: string;
  readonly role: 'user' | 'anonymous';
  /** The id of the session, or of an anonymous token. */
  readonly id: string;
  readonly until: number;
  readonly from: number;
  readonly email?: string | undefined;
  readonly preferredUsername?: string | undefined;
}

/** A trusted token issuer. */
export interface TokenIssuer {
  /** True when the `iss` of a token is this issuer. */
  hasName(issuer: string): boolean;
  readonly keys: KeySet;
  /** Undefined unless the token is signed by the key, is meant for this service and has the required claims. */
  claimsOf(jwt: Jwt, key: VerificationKey): Promise<Claims | undefined>;
  /** The claims of a valid token for another service of the platform. */
  foreignClaimsOf?(jwt: Jwt, key: VerificationKey): Promise<Claims | undefined>;
  actorOf(claims: Claims): Promise<Actor | undefined>;
  issued(actor: Actor): boolean;
  stillValid(actor: Actor): Promise<boolean>;
  close(): Promise<void>;
}

interface VerifiedToken {
  issuer: TokenIssuer;
  kid: string;
  claims: Claims;
}

/**
 * Verifies signed tokens. Valid signatures are cached until their key is no longer published; the session is checked
 * each time.
 */
export class SignedTokens implements TokenVerifier {
  private readonly cache = new LRUCache<string, VerifiedToken>({ max: maxCached });

  constructor(
    private readonly issuers: readonly TokenIssuer[],
    private readonly now: Clock,
  ) {}

  accepts(token: string): boolean {
    return hasJwtForm(token);
  }

  async verify(token: string): Promise<Actor | undefined> {
    const name = createHash('sha256').update(token).digest('base64');
    const known = this.fromCache(name) ?? (await this.verifySignature(token));
    if (!known || !this.isCurrent(known.claims)) return undefined;
    this.cache.set(name, known);
    return known.issuer.actorOf(known.claims);
  }

  /** Undefined unless signature, times and session are valid. */
  async kindIfForeign(token: string): Promise<string | undefined> {
    const found = this.accepts(token) ? await this.findIssuerAndKey(token) : undefined;
    const claims = found && (await found.issuer.foreignClaimsOf?.(found.jwt, found.key));
    if (!found || !claims || !this.isCurrent(claims) || !(await found.issuer.actorOf(claims))) return undefined;
    return `a session token for ${[found.jwt.claims['aud']].flat().join(', ')}`;
  }

  issued(actor: Actor): boolean {
    return this.issuers.some((issuer) => issuer.issued(actor));
  }

  async stillValid(actor: Actor): Promise<boolean> {
    const issuer = this.issuers.find((each) => each.issued(actor));
    return (await issuer?.stillValid(actor)) ?? false;
  }

  async close(): Promise<void> {
    await Promise.all(this.issuers.map((issuer) => issuer.close()));
  }

  private async verifySignature(token: string): Promise<VerifiedToken | undefined> {
    const found = await this.findIssuerAndKey(token);
    if (!found) return undefined;
    const { issuer, jwt, key } = found;
    const claims = await issuer.claimsOf(jwt, key);
    return claims && { issuer, kid: jwt.kid, claims };
  }

  private async findIssuerAndKey(
    token: string,
  ): Promise<{ issuer: TokenIssuer; jwt: Jwt; key: VerificationKey } | undefined> {
    const jwt = readJwt(token);
    const name = jwt?.claims['iss'];
    const issuer = typeof name === 'string' ? this.issuers.find((each) => each.hasName(name)) : undefined;
    if (!jwt || !issuer) return undefined;
    const key = await issuer.keys.find(jwt.kid);
    return key?.algorithm === jwt.algorithm ? { issuer, jwt, key } : undefined;
  }

  private fromCache(name: string): VerifiedToken | undefined {
    const known = this.cache.get(name);
    if (!known) return undefined;
    if (known.issuer.keys.has(known.kid) && this.isCurrent(known.claims)) return known;
    this.cache.delete(name);
    return undefined;
  }

  private isCurrent({ from, until }: Claims): boolean {
    const now = this.now().getTime() / 1000;
    return now < until + leewaySeconds && now >= from - leewaySeconds;
  }
}

/** Reads `exp` and `nbf`; undefined when `exp` is missing or one of them is no number. */
export function readTimes({ exp, nbf }: Jwt['claims']): Pick<Claims, 'from' | 'until'> | undefined {
  if (typeof exp !== 'number' || !Number.isFinite(exp)) return undefined;
  if (nbf !== undefined && (typeof nbf !== 'number' || !Number.isFinite(nbf))) return undefined;
  return { until: exp, from: nbf ?? 0 };
}
