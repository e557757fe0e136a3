import type { KeyObject } from 'node:crypto';
import { createPublicKey } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { DomainError } from '@lensforge/core';
import type { JWK } from 'jose';
import type { Logger } from '../observability/logging.js';

const patienceMs = 3000;
const largestAnswer = 65_536;
const mostKeys = 50;
const firstPauseMs = 250;
const toleratedFailures = 20;

export type SignatureAlgorithm = 'ES256' | 'RS256' | 'EdDSA';

export interface VerificationKey {
  readonly kid: string;
  readonly algorithm: SignatureAlgorithm;
  readonly key: KeyObject;
}

export interface KeySetOptions {
  url: string;
  algorithms: readonly SignatureAlgorithm[];
  logger: Logger;
  refreshMs?: number;
  /** An unknown key is looked for at most once in this time, however many tokens name one. */
  pauseMs?: number;
}

/**
 * The published keys of an issuer. They are read in the background before anybody misses one, and what was read last
 * goes on counting while the issuer is away.
 */
export class KeySet {
  private keys: ReadonlyMap<string, VerificationKey> = new Map();
  private state: 'unread' | 'current' | 'stale' = 'unread';
  private reading: Promise<void> | undefined;
  private failures = 0;
  private readAt = -Infinity;
  private readonly pauseMs: number;
  private readonly timer: NodeJS.Timeout;

  constructor(private readonly options: KeySetOptions) {
    const { refreshMs = 30_000, pauseMs = Math.min(2000, refreshMs) } = options;
    this.pauseMs = pauseMs;
    this.timer = setInterval(
      () => {
        if (this.age >= (this.state === 'current' ? refreshMs : this.pause)) void this.read();
      },
      Math.min(pauseMs, firstPauseMs),
    ).unref();
    void this.read();
  }

  has(kid: string): boolean {
    return this.keys.has(kid);
  }

  /** Undefined for a key that the issuer does not publish. */
  async find(kid: string): Promise<VerificationKey | undefined> {
    const known = this.keys.get(kid);
    if (known) return known;
    // While nothing can be told, it is better to wait for the next try than to refuse.
    if (this.state !== 'current' && !this.reading) await pause(Math.max(0, this.pause - this.age));
    if (this.reading ?? this.age >= this.pause) await this.read();
    const found = this.keys.get(kid);
    if (!found && this.state !== 'current') {
      throw new DomainError(
        'UNAVAILABLE',
        'The token cannot be checked: the keys of its issuer cannot be fetched; try again in a few seconds',
      );
    }
    return found;
  }

  private get age(): number {
    return performance.now() - this.readAt;
  }

  /** The issuer may be starting just as we are: until it was there once, it is asked more often. */
  private get pause(): number {
    return this.state === 'unread' ? Math.min(this.pauseMs, firstPauseMs) : this.pauseMs;
  }

  close(): void {
    clearInterval(this.timer);
  }

  private read(): Promise<void> {
    this.reading ??= this.fetchKeys()
      .then(
        (keys) => {
          this.keys = keys;
          this.state = 'current';
          this.failures = 0;
        },
        (err: unknown) => {
          if (this.state === 'current') this.state = 'stale';
          this.failures += 1;
          if (this.failures === toleratedFailures) this.options.logger.warn({ err }, 'published keys cannot be read');
        },
      )
      .finally(() => {
        this.readAt = performance.now();
        this.reading = undefined;
      });
    return this.reading;
  }

  private async fetchKeys(): Promise<ReadonlyMap<string, VerificationKey>> {
    const answer = await fetch(this.options.url, {
      headers: { accept: 'application/json' },
      redirect: 'error',
      signal: AbortSignal.timeout(patienceMs),
    });
    if (!answer.ok) throw new Error(`the keys were answered with ${answer.status}`);
    const { keys } = JSON.parse(await textOf(answer)) as { keys?: unknown };
    if (!Array.isArray(keys)) throw new Error('the answer is no set of keys');
    const usable = keys.slice(0, mostKeys).flatMap((jwk: unknown) => readKey(jwk, this.options.algorithms) ?? []);
    return new Map(usable.map((key) => [key.kid, key]));
  }
}

async function textOf({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > largestAnswer) throw new Error('the set of keys is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Undefined for what is no public key that signatures of these algorithms can be told by. */
function readKey(given: unknown, algorithms: readonly SignatureAlgorithm[]): VerificationKey | undefined {
  if (typeof given !== 'object' || given === null) return undefined;
  const jwk: JWK = given;
  if (typeof jwk.kid !== 'string' || 'd' in jwk || 'k' in jwk) return undefined;
  const algorithm = algorithmOf(jwk);
  if (!algorithm || !algorithms.includes(algorithm)) return undefined;
  if ((jwk.use ?? 'sig') !== 'sig' || (jwk.alg ?? algorithm) !== algorithm) return undefined;
  try {
    const key = createPublicKey({ key: jwk, format: 'jwk' });
    const { modulusLength = 2048 } = key.asymmetricKeyDetails ?? {};
    return modulusLength < 2048 ? undefined : { kid: jwk.kid, algorithm, key };
  } catch {
    return undefined;
  }
}

function algorithmOf({ kty, crv }: JWK): SignatureAlgorithm | undefined {
  if (kty === 'RSA') return 'RS256';
  if (kty === 'EC' && crv === 'P-256') return 'ES256';
  if (kty === 'OKP' && crv === 'Ed25519') return 'EdDSA';
  return undefined;
}
