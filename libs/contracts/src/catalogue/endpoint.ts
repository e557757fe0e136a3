import type { Shape } from '../schema/kinds.js';
import type { Rated } from './rate-classes.js';
import type { Scope } from './scopes.js';

/**
 * Whose credentials open a door, besides their scopes: `public` those of nobody in particular as well, `accounts` those
 * that act for an account, `people` session and developer tokens, `session` only somebody who has signed in.
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
  /** How large the body may be where that is more than what others may be. */
  readonly largeBody?: { readonly bytes: number; readonly members: number };
  /** How long it may wait for something to happen before it answers, besides the time that every answer may take. */
  readonly waitsMs?: number;
  /** Its use case is given the body as it came, and finds out by itself who calls: by a signature over those bytes. */
  readonly rawBody?: true;
  /** What it reads from headers, with what each is for; none is required. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly reply?: Shape;
  readonly status: number;
  /** Any of these opens the door; none: no scope is asked for, and no credential either unless there is an audience. */
  readonly scopes: readonly Scope[];
  /** `accounts` when there are scopes and nothing is said. */
  readonly audience?: Audience;
  /** How many requests one with this body counts as; 1 when absent. */
  readonly cost?: (body: unknown) => number;
  readonly errors: readonly number[];
  /** `list`: the envelope with a list of replies, and its place in the whole in `meta`. */
  readonly replies: 'envelope' | 'list' | 'plain' | 'event-stream';
}

export const endpoint = <const E extends Endpoint>(row: E): E => row;

export const asksForCredential = ({ scopes, audience }: Endpoint): boolean =>
  scopes.length > 0 || audience !== undefined;
