import type { Context } from '@lensforge/core';
import type { OAuthClient } from '@lensforge/identity';
import { findClient, isCodeChallenge, redirectUriOf } from '@lensforge/identity';
import type { Parameters } from './parameters.js';

export interface AuthorizationServer {
  kind: 'tools' | 'platform';
  /** Identical to what its metadata says. */
  issuer: string;
  path: '/oauth/authorize' | '/id/authorize';
  /** What a token of this issuer can be for; undefined for what it cannot. */
  resourceOf: (asked: string) => string | undefined;
}

/** What a client asks a person for, after all that can be wrong with it was looked at. */
export interface AuthorizeRequest {
  client: OAuthClient;
  redirectUri: string;
  codeChallenge: string;
  resource: string | undefined;
  /** Whoever is signed in has to prove it again. */
  fresh: boolean;
  loginHint: string | undefined;
  parameters: Parameters;
}

/** There is no client to send anybody back to: it is told on a page. */
export class UnknownClient extends Error {
  override readonly name = 'UnknownClient';
}

/** Something else is wrong: the client is told, by way of the browser. */
export class ReturnedFault extends Error {
  override readonly name = 'ReturnedFault';

  constructor(
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
  const client = await clientOf(ctx, server, parameters);
  const redirectUri = redirectUriOf(client, once(parameters, 'redirect_uri'));
  if (redirectUri === undefined) {
    throw new UnknownClient(
      'The address that it wants to send you back to is none that it has registered with us, so you stay here.',
    );
  }
  const refuse = (error: string, message: string): never => {
    throw new ReturnedFault(redirectUri, error, message);
  };

  const doubled = parameters.anyDoubled;
  if (doubled !== undefined) refuse('invalid_request', 'A parameter is there more than once; each may come once');
  const type = parameters.get('response_type');
  if (type === undefined) refuse('invalid_request', 'response_type is missing: it must be code');
  if (type !== 'code') refuse('unsupported_response_type', 'response_type must be code');
  if ((parameters.get('response_mode') ?? 'query') !== 'query')
    refuse('invalid_request', 'response_mode must be query');
  if (parameters.get('request') !== undefined) refuse('request_not_supported', 'request is not supported');
  if (parameters.get('request_uri') !== undefined) refuse('request_uri_not_supported', 'request_uri is not supported');
  const codeChallenge = parameters.get('code_challenge');
  if (parameters.get('code_challenge_method') !== 'S256') {
    refuse('invalid_request', 'code_challenge_method must be S256, and code_challenge be made with it');
  }
  if (!isCodeChallenge(codeChallenge)) {
    return refuse('invalid_request', 'code_challenge must be the base64url of a SHA-256 digest: 43 characters');
  }
  const asked = parameters.get('resource') || undefined;
  const resource = asked === undefined ? undefined : server.resourceOf(asked);
  if (asked !== undefined && resource === undefined)
    refuse('invalid_target', 'resource is none that this server has tokens for');
  const prompts = (parameters.get('prompt') ?? '').split(' ');
  if (prompts.includes('none')) refuse('login_required', 'Somebody has to look at this: prompt=none is not possible');

  return {
    client,
    redirectUri,
    codeChallenge,
    resource,
    fresh: prompts.includes('login') || prompts.includes('select_account'),
    loginHint: parameters.get('login_hint')?.slice(0, 254),
    parameters,
  };
}

async function clientOf(ctx: Context, { kind }: AuthorizationServer, parameters: Parameters): Promise<OAuthClient> {
  const id = once(parameters, 'client_id');
  const client = id === undefined ? undefined : await findClient(ctx, id, kind);
  if (!client) {
    throw new UnknownClient(
      id === undefined
        ? 'It did not say who it is (client_id is missing, or there more than once).'
        : 'We do not know who it is. It may have to register again: sign out in it and connect once more.',
    );
  }
  return client;
}

const once = (parameters: Parameters, name: string): string | undefined =>
  parameters.isDoubled(name) ? undefined : parameters.get(name);

/** The client's address with an answer in its query; what is there already stays as it is. */
export function answerTo(redirectUri: string, answer: Readonly<Record<string, string | undefined>>): string {
  const query = Object.entries(answer)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`]))
    .join('&');
  const glue = !redirectUri.includes('?') ? '?' : /[?&]$/.test(redirectUri) ? '' : '&';
  return redirectUri + glue + query;
}
