import type { McpConnection, McpSecret } from '@lensforge/agents';
import type { Fetch } from './guarded-fetch.js';
import { McpFault, cut } from './mcp-fault.js';

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
  { clientSecret, refreshToken, resource = url }: McpSecret,
  { endpoint, fetch }: { endpoint: TokenEndpoint; fetch: Fetch },
): Promise<IssuedToken> {
  const { clientId = '', grantType, scope } = auth;
  if (grantType !== 'client_credentials' && refreshToken === undefined)
    throw new McpFault('The access to this server has ended: authorize it again, or replace auth of the MCP server');
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
