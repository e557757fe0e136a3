import { createHash } from 'node:crypto';
import type { Actor, Clock } from '@lensforge/core';
import type { TokenVerifier } from './bearer.js';
import type { Jwt } from './jwt.js';
import { looksSigned, readJwt } from './jwt.js';
import type { KeySet, VerificationKey } from './key-set.js';

const leewaySeconds = 5;
const mostRemembered = 20_000;

/** What stands in a token, after its signature, issuer and audience were found good. */
export interface Claims {
  readonly subject: string;
  readonly role: 'user' | 'anonymous';
  /** The session, or the id of a token that belongs to none. */
  readonly id: string;
  readonly until: number;
  readonly from: number;
  readonly email?: string | undefined;
  readonly preferredUsername?: string | undefined;
}

/** A trusted token issuer. */
export interface TokenIssuer {
  /** True when the `iss` of a token is this issuer. */
  isNamed(issuer: string): boolean;
  readonly keys: KeySet;
  /** Undefined unless the token is meant for here, signed by the key, and says what it has to say. */
  claimsOf(jwt: Jwt, key: VerificationKey): Promise<Claims | undefined>;
  /** The claims of a token that is good in every way but meant for another service of the platform. */
  claimsElsewhere?(jwt: Jwt, key: VerificationKey): Promise<Claims | undefined>;
  actorOf(claims: Claims): Promise<Actor | undefined>;
  vouches(actor: Actor): boolean;
  stillValid(actor: Actor): Promise<boolean>;
  close(): Promise<void>;
}

interface Remembered {
  issuer: TokenIssuer;
  kid: string;
  claims: Claims;
}

/**
 * Tokens that are signed. A signature found good is remembered, since it costs more than all else; whether the session
 * goes on is asked each time, and a key that is no longer published takes what it has signed with it.
 */
export class SignedTokens implements TokenVerifier {
  private readonly remembered = new Map<string, Remembered>();

  constructor(
    private readonly issuers: readonly TokenIssuer[],
    private readonly now: Clock,
  ) {}

  accepts(token: string): boolean {
    return looksSigned(token);
  }

  async verify(token: string): Promise<Actor | undefined> {
    const name = createHash('sha256').update(token).digest('base64');
    const known = this.recall(name) ?? (await this.examine(token));
    if (!known || !this.inTime(known.claims)) return undefined;
    this.remember(name, known);
    return known.issuer.actorOf(known.claims);
  }

  /** Only a token whose signature, times and session are good is told apart from an unknown one. */
  async elsewhere(token: string): Promise<string | undefined> {
    const found = this.accepts(token) ? await this.issuerAndKeyOf(token) : undefined;
    const claims = found && (await found.issuer.claimsElsewhere?.(found.jwt, found.key));
    if (!found || !claims || !this.inTime(claims) || !(await found.issuer.actorOf(claims))) return undefined;
    return `a session token for ${[found.jwt.claims['aud']].flat().join(', ')}`;
  }

  vouches(actor: Actor): boolean {
    return this.issuers.some((issuer) => issuer.vouches(actor));
  }

  async stillValid(actor: Actor): Promise<boolean> {
    const issuer = this.issuers.find((each) => each.vouches(actor));
    return (await issuer?.stillValid(actor)) ?? false;
  }

  async close(): Promise<void> {
    await Promise.all(this.issuers.map((issuer) => issuer.close()));
  }

  private async examine(token: string): Promise<Remembered | undefined> {
    const found = await this.issuerAndKeyOf(token);
    if (!found) return undefined;
    const { issuer, jwt, key } = found;
    const claims = await issuer.claimsOf(jwt, key);
    return claims && { issuer, kid: jwt.kid, claims };
  }

  private async issuerAndKeyOf(
    token: string,
  ): Promise<{ issuer: TokenIssuer; jwt: Jwt; key: VerificationKey } | undefined> {
    const jwt = readJwt(token);
    const name = jwt?.claims['iss'];
    const issuer = typeof name === 'string' ? this.issuers.find((each) => each.isNamed(name)) : undefined;
    if (!jwt || !issuer) return undefined;
    const key = await issuer.keys.find(jwt.kid);
    return key?.algorithm === jwt.algorithm ? { issuer, jwt, key } : undefined;
  }

  private recall(name: string): Remembered | undefined {
    const known = this.remembered.get(name);
    if (!known) return undefined;
    if (known.issuer.keys.has(known.kid) && this.inTime(known.claims)) return known;
    this.remembered.delete(name);
    return undefined;
  }

  /** What was used last stands last, and what stands first goes when there is no more room. */
  private remember(name: string, known: Remembered): void {
    this.remembered.delete(name);
    const [oldest] = this.remembered.keys();
    if (this.remembered.size >= mostRemembered && oldest !== undefined) this.remembered.delete(oldest);
    this.remembered.set(name, known);
  }

  private inTime({ from, until }: Claims): boolean {
    const now = this.now().getTime() / 1000;
    return now < until + leewaySeconds && now >= from - leewaySeconds;
  }
}

/** The times that a token must or may name; undefined when it names none, or what is no time. */
export function timesOf({ exp, nbf }: Jwt['claims']): Pick<Claims, 'from' | 'until'> | undefined {
  if (typeof exp !== 'number' || !Number.isFinite(exp)) return undefined;
  if (nbf !== undefined && (typeof nbf !== 'number' || !Number.isFinite(nbf))) return undefined;
  return { until: exp, from: nbf ?? 0 };
}
