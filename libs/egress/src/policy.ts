import type { Networks } from './address.js';
import { networkResolver, systemResolver, type Resolve } from './resolve.js';

export interface EgressPolicy {
  /** Opens private, loopback and link-local addresses: for development only. */
  readonly allowPrivate: boolean;
  /** Networks that an operator has opened to every call; neither http nor other ports come with them. */
  readonly allow?: Networks | undefined;
  /** Closes the public internet: for what has to stay within those networks. */
  readonly onlyAllowed?: boolean;
  readonly allowHttp: boolean;
  readonly ports: readonly number[] | 'any';
  readonly resolve: Resolve;
  readonly connectMs: number;
  readonly headersMs: number;
  readonly totalMs: number;
  /** Reading an answer stops here. */
  readonly readBytes: number;
  /** This much of an answer is kept. */
  readonly keepBytes: number;
  /** PEM certificates to trust instead of the ones Node trusts. */
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
