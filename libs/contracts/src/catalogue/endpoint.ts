import type { Shape } from '../schema/kinds.js';
import type { Rated } from './rate-classes.js';
import type { Scope } from './scopes.js';

/**
 * The kinds of credentials that an endpoint accepts: `public` all kinds with anonymous tokens, `accounts` all kinds that act
 * for an account, `people` session and developer tokens, `session` session tokens alone.
 */
export type Audience = 'public' | 'accounts' | 'people' | 'session';

export interface Endpoint extends Rated {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly summary: string;
  readonly params?: Shape;
  readonly query?: Shape;
  readonly body?: Shape;
  /** Higher limits for the body than the usual ones. */
  readonly largeBody?: { readonly bytes: number; readonly members: number };
  /** Time for long polling, in addition to the usual response timeout. */
  readonly waitsMs?: number;
  /** The use case receives the raw body and authenticates the caller itself, by a signature of those bytes. */
  readonly rawBody?: true;
  /** Optional headers that the endpoint reads, with their descriptions. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly reply?: Shape;
  readonly status: number;
  /** Any one of these is enough. Without scopes and audience the endpoint needs no credential. */
  readonly scopes: readonly Scope[];
  /** `accounts` when absent and there are scopes. */
  readonly audience?: Audience;
  /** The number of requests that one with this body counts as; 1 when absent. */
  readonly cost?: (body: unknown) => number;
  readonly errors: readonly number[];
  /** `list`: the envelope with a list in `data` and paging members in `meta`. */
  readonly replies: 'envelope' | 'list' | 'plain' | 'event-stream';
}

export const endpoint = <const E extends Endpoint>(row: E): E => row;

export const asksForCredential = ({ scopes, audience }: Endpoint): boolean =>
  scopes.length > 0 || audience !== undefined;
