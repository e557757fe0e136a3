import { createHash } from 'node:crypto';
import type { McpAuthorizationSecret, McpAuthorizationWork, McpIssuer, PreparedAuthorization } from '@lensforge/agents';
import { type Metadata, discoverServer, requireEndpoint, toIssuer, maxAddress } from './discover-issuer.js';
import type { Fetch } from './guarded-fetch.js';
import { McpFault, cut } from './mcp-fault.js';
import { loadSdk } from './session.js';

const maxAnswerChars = 64 * 1024;
const maxScope = 1000;

export interface PreparationParts {
  fetch: Fetch;
  /** Throws for an authorization server that the owner has not agreed to. */
  requireIssuer: (named: McpIssuer) => Promise<void>;
}

/** Finds the authorization server of an MCP server, registers a client unless one is given, and makes the address for the browser. */
export async function prepareAuthorization(
  { url, auth, redirectUri, state }: McpAuthorizationWork,
  secret: McpAuthorizationSecret,
  { fetch, requireIssuer }: PreparationParts,
): Promise<PreparedAuthorization> {
  const { resourceMetadata, authorizationServerMetadata: metadata, wantedScope } = await discoverServer(url, fetch);
  if (!metadata)
    throw new McpFault('The server has no metadata of an authorization server: give auth of the MCP server yourself');
  const named = toIssuer(metadata, url);
  const { issuer, tokenUrl, isInBody } = named;
  const resource = await checkResource(url, resourceMetadata?.resource);
  if (!metadata.code_challenge_methods_supported?.includes('S256'))
    throw new McpFault(
      `The authorization server ${cut(issuer, 200)} does not support PKCE with S256, without which a code can be stolen`,
    );
  const authorizationEndpoint = requireEndpoint(metadata.authorization_endpoint, 'authorization_endpoint', url);
  await requireIssuer(named);
  const scope = auth.scope ?? checkScope(wantedScope ?? resourceMetadata?.scopes_supported?.join(' '));
  const methods = metadata.token_endpoint_auth_methods_supported;
  const client =
    auth.clientId === undefined
      ? await registerClient(requireRegistrationEndpoint(metadata, url), { redirectUri, scope, methods }, fetch)
      : { clientId: auth.clientId, clientSecret: secret.clientSecret };
  const address = new URL(authorizationEndpoint);
  const challenge = createHash('sha256').update(secret.verifier).digest('base64url');
  const parameters = {
    response_type: 'code',
    client_id: client.clientId,
    redirect_uri: redirectUri,
    state,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    resource,
    ...(scope && { scope }),
  };
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
  return {
    auth: { ...auth, clientId: client.clientId, tokenUrl, ...(scope && { scope }) },
    secret: {
      verifier: secret.verifier,
      resource,
      isInBody,
      ...(client.clientSecret !== undefined && { clientSecret: client.clientSecret }),
    },
    authorizationUrl: address.href,
    issuer,
    needsIss: Reflect.get(metadata, 'authorization_response_iss_parameter_supported') === true,
  };
}

/** The resource that tokens are for. Metadata of another server would make its tokens reach this one. */
async function checkResource(url: string, named: string | undefined): Promise<string> {
  if (named === undefined) return url;
  const { checkResourceAllowed } = await loadSdk();
  if (!URL.canParse(named) || !checkResourceAllowed({ requestedResource: url, configuredResource: named }))
    throw new McpFault(
      'The metadata of the server is for another resource: register the address that the metadata names',
    );
  if (named.length > maxAddress)
    throw new McpFault(`The resource of the metadata is longer than ${maxAddress} characters`);
  return named;
}

function checkScope(text: string | undefined): string | undefined {
  if (text !== undefined && !/^[\x20-\x7e]*$/.test(text))
    throw new McpFault('The scope of the server is not ASCII: give scope');
  if (text !== undefined && text.length > maxScope)
    throw new McpFault(`The scope of the server is longer than ${maxScope} characters: give scope`);
  return text;
}

function requireRegistrationEndpoint({ registration_endpoint: endpoint }: Metadata, serverUrl: string): string {
  if (endpoint === undefined)
    throw new McpFault(
      'The authorization server registers no clients itself: register one there and give its clientId',
    );
  return requireEndpoint(endpoint, 'registration_endpoint', serverUrl);
}

interface Registration {
  redirectUri: string;
  scope: string | undefined;
  methods: readonly string[] | undefined;
}

/** Registers a client (RFC 7591), without a secret where the authorization server allows that. */
async function registerClient(
  endpoint: string,
  { redirectUri, scope, methods = ['client_secret_basic'] }: Registration,
  fetch: Fetch,
): Promise<{ clientId: string; clientSecret: string | undefined }> {
  const method = ['none', 'client_secret_basic', 'client_secret_post'].find((each) => methods.includes(each));
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({
      client_name: 'Lensforge',
      redirect_uris: [redirectUri],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: method ?? 'none',
      ...(scope && { scope }),
    }),
  });
  const text = (await response.text()).slice(0, maxAnswerChars);
  if (!response.ok)
    throw new McpFault(
      `The authorization server refuses to register a client (HTTP ${response.status}): register one there and give its clientId`,
    );
  const { client_id: clientId, client_secret: clientSecret } = parseMembers(text);
  if (typeof clientId !== 'string' || !/^[\x21-\x7e]{1,500}$/.test(clientId))
    throw new McpFault('The authorization server answered the registration without a usable client_id');
  if (clientSecret === undefined || clientSecret === null || clientSecret === '')
    return { clientId, clientSecret: undefined };
  if (typeof clientSecret !== 'string' || !/^[\x20-\x7e]{1,2000}$/.test(clientSecret))
    throw new McpFault('The authorization server answered the registration without a usable client_secret');
  return { clientId, clientSecret };
}

function parseMembers(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
