import type { Rated } from './rate-classes.js';
import type { Scope } from './scopes.js';
import type { Shape } from '../schema/rules.js';

/**
 * The kinds of credentials that an endpoint accepts: `public` all kinds with anonymous tokens, `accounts` all kinds that act
 * for an account, `people` session and developer tokens, `session` session tokens alone.
 */
export type Audience = 'public' | 'accounts' | 'people' | 'session';

export interface Endpoint extends Rated {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** The effect of the endpoint in one line, without a full stop. */
  readonly summary: string;
  /** Facts that callers need beyond the summary and the descriptions of members, in full sentences. */
  readonly description: string;
  readonly params?: Shape;
  readonly query?: Shape;
  readonly body?: Shape;
  /** A body that a test of the gateway sends. */
  readonly example?: object;
  /** Higher limits for the body than the usual ones. */
  readonly largeBody?: { readonly bytes: number; readonly members: number };
  /** Time for long polling, in addition to the usual response timeout. */
  readonly waitsMs?: number;
  /** The use case receives the raw body and authenticates the caller itself, by a signature of those bytes. */
  readonly rawBody?: true;
  /** Optional headers that the endpoint reads, with their descriptions. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly reply?: Shape;
  /** The media types of a plain reply without a class, which is a file. */
  readonly fileTypes?: readonly string[];
  readonly status: number;
  /** Any one of these is enough. Without scopes and audience the endpoint needs no credential. */
  readonly scopes: readonly Scope[];
  /** `accounts` when absent and there are scopes. */
  readonly audience?: Audience;
  /** The same request again changes nothing, so clients may repeat it without an idempotency key. */
  readonly repeatable?: true;
  /** People may use it before they have chosen a handle. */
  readonly withoutHandle?: true;
  /** The number of requests that one with this body counts as; 1 when absent. */
  readonly cost?: (body: unknown) => number;
  readonly errors: readonly number[];
  /**
   * `list`: the envelope with a list in `data` and paging members in `meta`; `lines`: a JSON object in each line, sent in
   * parts.
   */
  readonly replies: 'envelope' | 'list' | 'plain' | 'lines' | 'event-stream';
}

/** A row of the endpoint table as it is written; its key is the id. */
export interface EndpointRow extends Omit<Endpoint, 'id' | 'method' | 'path' | 'status' | 'errors' | 'replies'> {
  /** Method and path. */
  readonly route: `${Endpoint['method']} /${string}`;
  /** 200 when absent. */
  readonly status?: number;
  /** Error statuses besides those that follow from the rest of the row. */
  readonly errors?: readonly number[];
  /** An unknown path parameter causes 400 instead of 404. */
  readonly unknownIs400?: true;
  /** `envelope` when absent. */
  readonly replies?: Endpoint['replies'];
}

type Classes = 'params' | 'query' | 'body';

type Endpoints<T> = { readonly [Id in keyof T]: Omit<Endpoint, Classes> & Pick<T[Id], Classes & keyof T[Id]> };

/** Refuses unknown members, which a generic parameter accepts otherwise. */
type Exact<T> = { readonly [Id in keyof T]: Record<Exclude<keyof T[Id], keyof EndpointRow>, never> };

/** Adds ids, defaults and the error statuses that follow from each row. */
export function defineEndpoints<const T extends Record<string, EndpointRow>>(rows: T & Exact<T>): Endpoints<T> {
  return Object.fromEntries(
    Object.entries<EndpointRow>(rows).map(([id, row]) => [id, toEndpoint(id, row)]),
  ) as Endpoints<T>;
}

function toEndpoint(id: string, row: EndpointRow): Endpoint {
  const { route, unknownIs400: _, errors: ownErrors = [], ...members } = row;
  const [method, path] = route.split(' ') as [Endpoint['method'], string];
  const errors = [...new Set([...impliedErrors(row), ...ownErrors])].sort((one, other) => one - other);
  return { status: 200, replies: 'envelope', ...members, id, method, path, errors };
}

/** Error statuses that follow from the credential, the input, the rate class and the reply of a row. */
const impliedErrors = (row: EndpointRow): number[] => [
  ...(asksForCredential(row) ? [400, 401, 403] : []),
  ...((row.params ?? row.query ?? row.body) ? [400] : []),
  ...(row.params && !row.unknownIs400 ? [404] : []),
  ...((row.body ?? row.rawBody) ? [413, 415] : []),
  ...(row.rate === 'none' ? [] : row.replies === 'event-stream' ? [429] : [429, 500]),
];

export const asksForCredential = ({ scopes, audience }: Pick<Endpoint, 'scopes' | 'audience'>): boolean =>
  scopes.length > 0 || audience !== undefined;
