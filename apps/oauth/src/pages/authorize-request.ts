import { type Scope, isScope } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import {
  type OAuthClient,
  faultOfRedirectUri,
  findClient,
  isCodeChallenge,
  matchRedirectUri,
} from '@lensforge/identity';
import { repeatedParameter } from '../form-bodies.js';
import type { Parameters } from './parameters.js';

export interface AuthorizationServer {
  kind: 'tools' | 'platform';
  /** Identical to the issuer in the metadata. */
  issuer: string;
  path: '/oauth/authorize' | '/id/authorize';
  /** The normalised resource of a token of this issuer; undefined if it issues none for it. */
  resourceOf: (asked: string) => string | undefined;
  /** Schemes without a dot that redirect URIs may have. */
  allowedSchemes: readonly string[];
}

/** A valid request of a client to act for a person. */
export interface AuthorizeRequest {
  client: OAuthClient;
  redirectUri: string;
  codeChallenge: string;
  resource: string | undefined;
  /** The scopes to which the client limits its token of the tools; undefined if it names none. */
  scopes: readonly Scope[] | undefined;
  /** The person has to sign in again. */
  fresh: boolean;
  loginHint: string | undefined;
  parameters: Parameters;
}

/** The client or its redirect URI is not known: the error is shown on a page. */
export class UnknownClient extends Error {
  override readonly name = 'UnknownClient';

  constructor(
    message: string,
    /** The requested redirect URI, shown as text. */
    readonly refusedUri?: string,
  ) {
    super(message);
  }
}

/** Another fault of the request: the error is returned to the redirect URI of the client. */
export class ClientError extends Error {
  override readonly name = 'ClientError';

  constructor(
    readonly client: OAuthClient,
    readonly redirectUri: string,
    readonly error: string,
    message: string,
  ) {
    super(message);
  }
}

export async function readAuthorizeRequest(
  ctx: Context,
  server: AuthorizationServer,
  parameters: Parameters,
): Promise<AuthorizeRequest> {
  const client = await readClient(ctx, server, parameters);
  const redirectUri = checkedRedirectUri(server, client, parameters);
  const refuse = (error: string, message: string): never => {
    throw new ClientError(client, redirectUri, error, message);
  };

  const doubled = parameters.anyDoubled;
  if (doubled !== undefined) refuse('invalid_request', repeatedParameter(doubled));
  const type = parameters.get('response_type');
  if (type === undefined) refuse('invalid_request', 'response_type is missing: it must be code');
  if (type !== 'code') refuse('unsupported_response_type', 'response_type must be code');
  if ((parameters.get('response_mode') ?? 'query') !== 'query')
    refuse('invalid_request', 'response_mode must be query');
  if (parameters.get('request') !== undefined) refuse('request_not_supported', 'request is not supported');
  if (parameters.get('request_uri') !== undefined) refuse('request_uri_not_supported', 'request_uri is not supported');
  const codeChallenge = parameters.get('code_challenge');
  if (parameters.get('code_challenge_method') !== 'S256') {
    refuse('invalid_request', 'code_challenge_method must be S256');
  }
  if (!isCodeChallenge(codeChallenge)) {
    return refuse('invalid_request', 'code_challenge must be the base64url of a SHA-256 digest: 43 characters');
  }
  const asked = parameters.get('resource') || undefined;
  const resource = asked === undefined ? undefined : server.resourceOf(asked);
  if (asked !== undefined && resource === undefined)
    refuse('invalid_target', 'resource is not a service that this server issues tokens for');
  const prompts = (parameters.get('prompt') ?? '').split(' ');
  if (prompts.includes('none'))
    refuse('login_required', 'prompt=none is not supported: a person has to confirm the request');

  return {
    client,
    redirectUri,
    codeChallenge,
    resource,
    scopes: server.kind === 'tools' ? scopesIn(parameters.get('scope')) : undefined,
    fresh: prompts.includes('login') || prompts.includes('select_account'),
    loginHint: parameters.get('login_hint')?.slice(0, 254),
    parameters,
  };
}

/** Other names, such as those of OpenID Connect that some clients always send, ask for nothing. */
function scopesIn(text = ''): readonly Scope[] | undefined {
  const named = [...new Set(text.split(' '))].filter(isScope);
  return named.length > 0 ? named : undefined;
}

async function readClient(ctx: Context, { kind }: AuthorizationServer, parameters: Parameters): Promise<OAuthClient> {
  const id = once(parameters, 'client_id');
  const client = id === undefined ? undefined : await findClient(ctx, id, kind);
  if (!client) {
    throw new UnknownClient(
      id === undefined
        ? 'It sent no client_id, or more than one.'
        : 'Its client_id is not registered here. It may have to register again: sign out in the program and connect once more.',
    );
  }
  return client;
}

function checkedRedirectUri(
  { allowedSchemes }: AuthorizationServer,
  client: OAuthClient,
  parameters: Parameters,
): string {
  if (parameters.isDoubled('redirect_uri')) {
    throw new UnknownClient('It sent more than one address to return you to (redirect_uri).');
  }
  const asked = parameters.get('redirect_uri');
  if (!asked) throw new UnknownClient('It did not say which address to return you to (redirect_uri).');
  const redirectUri = matchRedirectUri(client, asked);
  if (redirectUri === undefined) {
    throw new UnknownClient(
      'It has not registered the address that it wants to return you to. The address must be exactly one that it has registered.',
      asked,
    );
  }
  const fault = faultOfRedirectUri(redirectUri, allowedSchemes);
  if (fault !== undefined) {
    throw new UnknownClient(
      `The address that it wants to return you to is not allowed: it ${fault}. The program has to register another one.`,
      asked,
    );
  }
  return redirectUri;
}

const once = (parameters: Parameters, name: string): string | undefined =>
  parameters.isDoubled(name) ? undefined : parameters.get(name);

/** The redirect URI with a response added to its query. */
export function answerTo(redirectUri: string, answer: Readonly<Record<string, string | undefined>>): string {
  const query = Object.entries(answer)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`]))
    .join('&');
  const glue = !redirectUri.includes('?') ? '?' : /[?&]$/.test(redirectUri) ? '' : '&';
  return redirectUri + glue + query;
}
