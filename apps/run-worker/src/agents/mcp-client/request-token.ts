import type { McpConnection, McpSecret } from '@lensforge/agents';
import type { Fetch } from './guarded-fetch.js';
import { McpFault, cut } from './mcp-fault.js';
import { loadSdk } from './session.js';

export interface IssuedToken {
  accessToken: string;
  expiresInSeconds: number | undefined;
  /** The next refresh token, when the server has rotated it. */
  refreshToken: string | undefined;
}

export interface TokenEndpoint {
  url: string;
  /** The client authenticates in the body instead of a header. */
  isInBody: boolean;
}

const maxAnswerBytes = 64 * 1024;

/** Requests an access token for a server, with its refresh token or as the client itself. */
export async function requestToken(
  { url, auth }: Pick<McpConnection, 'url' | 'auth'>,
  { clientSecret, refreshToken, resource = url, isInBody: inBody = false }: McpSecret,
  fetch: Fetch,
): Promise<IssuedToken> {
  const { clientId = '', grantType, scope } = auth;
  if (grantType !== 'client_credentials' && refreshToken === undefined)
    throw new McpFault('The access to this server has ended: authorize it again, or replace auth of the MCP server');
  const { tokenUrl } = auth;
  const endpoint = tokenUrl === undefined ? await tokenEndpoint(url, fetch) : { url: tokenUrl, isInBody: inBody };
  const body = new URLSearchParams(
    refreshToken === undefined
      ? { grant_type: 'client_credentials' }
      : { grant_type: 'refresh_token', refresh_token: refreshToken },
  );
  // Consent may have granted fewer scopes than were requested; a refresh without scope keeps those that were granted.
  if (scope !== undefined && grantType !== 'authorization_code') body.set('scope', scope);
  body.set('resource', resource);
  return sendTokenRequest({ endpoint, clientId, clientSecret, body }, fetch);
}

export interface TokenRequest {
  endpoint: TokenEndpoint;
  clientId: string;
  clientSecret: string | undefined;
  body: URLSearchParams;
}

/** Sends a token request with the credentials of its client. */
export async function sendTokenRequest(
  { endpoint, clientId, clientSecret, body }: TokenRequest,
  fetch: Fetch,
): Promise<IssuedToken> {
  const headers: Record<string, string> = {
    'content-type': 'application/x-www-form-urlencoded',
    accept: 'application/json',
  };
  if (clientSecret === undefined || endpoint.isInBody) {
    body.set('client_id', clientId);
    if (clientSecret !== undefined) body.set('client_secret', clientSecret);
  } else {
    const [id, secret] = [encodeURIComponent(clientId), encodeURIComponent(clientSecret)];
    headers['authorization'] = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
  }
  return readAnswer(await fetch(endpoint.url, { method: 'POST', headers, body: body.toString() }));
}

async function tokenEndpoint(serverUrl: string, fetch: Fetch): Promise<TokenEndpoint> {
  const { discoverOAuthServerInfo } = await loadSdk();
  const { authorizationServerMetadata: metadata } = await discoverOAuthServerInfo(serverUrl, { fetchFn: fetch });
  if (!metadata)
    throw new McpFault('The server has no metadata of an authorization server: give auth.tokenUrl of the MCP server');
  return { url: metadata.token_endpoint, isInBody: isInBody(metadata.token_endpoint_auth_methods_supported) };
}

/** True when the token endpoint takes no client secret in a header. */
export const isInBody = (methods: readonly string[] = ['client_secret_basic']): boolean =>
  !methods.includes('client_secret_basic');

async function readAnswer(response: Response): Promise<IssuedToken> {
  const text = (await response.text()).slice(0, maxAnswerBytes);
  const answer = parsed(text);
  if (!response.ok) {
    const { error } = answer;
    const why = typeof error === 'string' && /^[a-z_]{1,60}$/.test(error) ? `: ${error}` : '';
    throw new McpFault(`The authorization server refuses a token (HTTP ${response.status})${why}`);
  }
  const { access_token: accessToken, expires_in: seconds, refresh_token: refreshToken, token_type: type } = answer;
  if (typeof accessToken !== 'string' || !/^[\x21-\x7e]{1,8000}$/.test(accessToken))
    throw new McpFault('The authorization server answered without an access token');
  if (typeof type === 'string' && type.toLowerCase() !== 'bearer')
    throw new McpFault(`The authorization server answered a token of the type ${cut(type, 40)}, not bearer`);
  return {
    accessToken,
    expiresInSeconds: typeof seconds === 'number' && seconds > 0 ? seconds : undefined,
    refreshToken: typeof refreshToken === 'string' && refreshToken !== '' ? refreshToken : undefined,
  };
}

function parsed(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
