import { type KeyObject, createPublicKey } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { DomainError } from '@lensforge/core';
import type { JWK } from 'jose';
import type { Logger } from '../observability/logging.js';

const timeoutMs = 3000;
const maxBytes = 65_536;
const maxKeys = 50;
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
  /** The least time between two fetches for unknown keys. */
  pauseMs?: number;
}

/** The published keys of an issuer, refreshed in the background; the last ones stay valid while the issuer is unavailable. */
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
    // While the keys are unknown or stale, wait for the next fetch instead of refusing.
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

  /** Shorter until the first successful fetch: the issuer may be starting at the same time. */
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
          if (this.failures === toleratedFailures)
            this.options.logger.warn({ err }, 'the published keys of an issuer cannot be fetched');
        },
      )
      .finally(() => {
        this.readAt = performance.now();
        this.reading = undefined;
      });
    return this.reading;
  }

  private async fetchKeys(): Promise<ReadonlyMap<string, VerificationKey>> {
    const reply = await fetch(this.options.url, {
      headers: { accept: 'application/json' },
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (!reply.ok) throw new Error(`the JWKS request got status ${reply.status}`);
    const { keys } = JSON.parse(await readBody(reply)) as { keys?: unknown };
    if (!Array.isArray(keys)) throw new Error('the reply is not a JWKS');
    const usable = keys.slice(0, maxKeys).flatMap((jwk: unknown) => readKey(jwk, this.options.algorithms) ?? []);
    return new Map(usable.map((key) => [key.kid, key]));
  }
}

async function readBody({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > maxBytes) throw new Error(`the JWKS is larger than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Undefined for anything but a public key for signatures with one of these algorithms. */
function readKey(given: unknown, algorithms: readonly SignatureAlgorithm[]): VerificationKey | undefined {
  if (typeof given !== 'object' || given === null) return undefined;
  const jwk: JWK = given;
  if (typeof jwk.kid !== 'string' || 'd' in jwk || 'k' in jwk) return undefined;
  const algorithm = pickAlgorithm(jwk);
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

function pickAlgorithm({ kty, crv }: JWK): SignatureAlgorithm | undefined {
  if (kty === 'RSA') return 'RS256';
  if (kty === 'EC' && crv === 'P-256') return 'ES256';
  if (kty === 'OKP' && crv === 'Ed25519') return 'EdDSA';
  return undefined;
}
