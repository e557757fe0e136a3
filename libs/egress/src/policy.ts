import type { Networks } from './address.js';
import { networkResolver, systemResolver, type Resolve } from './resolve.js';

export interface EgressPolicy {
  /** Allows private, loopback and link-local addresses; for development only. */
  readonly allowPrivate: boolean;
  /** Networks that the operator opened. The rules for ports still apply. */
  readonly allow?: Networks | undefined;
  /** Plain http: everywhere, nowhere, or only to the addresses that `allow` and `allowPrivate` open. */
  readonly allowHttp: boolean | 'opened';
  readonly ports: readonly number[] | 'any';
  readonly resolve: Resolve;
  readonly connectMs: number;
  readonly headersMs: number;
  readonly totalMs: number;
  /** The number of response bytes that are read. */
  readonly readBytes: number;
  /** The number of response bytes that are kept. */
  readonly keepBytes: number;
  /** Trusted PEM certificates in place of Node's defaults. */
  readonly authorities?: string | undefined;
}

export const egressPolicy = (own: Partial<EgressPolicy> = {}): EgressPolicy =>
  Object.freeze({
    allowPrivate: false,
    allowHttp: false,
    ports: [443, 80],
    resolve: own.allowPrivate ? systemResolver() : networkResolver(),
    connectMs: 3_000,
    headersMs: 10_000,
    totalMs: 15_000,
    readBytes: 64 * 1024,
    keepBytes: 4 * 1024,
    ...own,
  });
