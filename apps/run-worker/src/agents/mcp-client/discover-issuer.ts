import type { McpIssuer } from '@lensforge/agents';
import type { Fetch } from './guarded-fetch.js';
import { McpFault, cut, isOfServer } from './mcp-fault.js';
import { loadSdk } from './session.js';

type Sdk = Awaited<ReturnType<typeof loadSdk>>;
type ServerInfo = Awaited<ReturnType<Sdk['discoverOAuthServerInfo']>>;
export type Metadata = NonNullable<ServerInfo['authorizationServerMetadata']>;

export interface Discovered extends ServerInfo {
  /** The scope that the server asked for in its refusal. */
  wantedScope: string | undefined;
}

export const maxAddress = 2048;

/** The authorization server that an MCP server names; undefined when it has no metadata. */
export async function discoverIssuer(url: string, fetch: Fetch): Promise<McpIssuer | undefined> {
  const { authorizationServerMetadata: metadata } = await discoverServer(url, fetch);
  return metadata && toIssuer(metadata, url);
}

export const toIssuer = (metadata: Metadata, serverUrl: string): McpIssuer => ({
  issuer: issuerText(metadata, serverUrl),
  tokenUrl: requireEndpoint(metadata.token_endpoint, 'token_endpoint', serverUrl),
  isInBody: isInBody(metadata.token_endpoint_auth_methods_supported),
});

function issuerText({ issuer }: Metadata, serverUrl: string): string {
  requireEndpoint(issuer, 'issuer', serverUrl);
  return issuer;
}

/** True when the token endpoint takes no client secret in a header. */
const isInBody = (methods: readonly string[] = ['client_secret_basic']): boolean =>
  !methods.includes('client_secret_basic');

/** Metadata that cannot be read is a fault of the server, of which the library throws errors without a class. */
export async function discoverServer(url: string, fetch: Fetch): Promise<Discovered> {
  try {
    return await discover(url, fetch);
  } catch (reason) {
    if (isOfServer(reason) || !(reason instanceof Error)) throw reason;
    throw new McpFault(`The OAuth metadata of the server cannot be read: ${cut(reason.message, 400)}`);
  }
}

/** The metadata that the server names in its refusal of a request without credentials, or that of the well-known addresses. */
async function discover(url: string, fetch: Fetch): Promise<Discovered> {
  const sdk = await loadSdk();
  const refused = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
  });
  await refused.body?.cancel();
  const { resourceMetadataUrl, scope } = sdk.extractWWWAuthenticateParams(refused);
  if (resourceMetadataUrl === undefined)
    return { ...(await sdk.discoverOAuthServerInfo(url, { fetchFn: fetch })), wantedScope: scope };
  const resourceMetadata = await sdk.discoverOAuthProtectedResourceMetadata(url, { resourceMetadataUrl }, fetch);
  const authorizationServerUrl = resourceMetadata.authorization_servers?.[0];
  if (authorizationServerUrl === undefined)
    throw new McpFault('The metadata of the server names no authorization server: ask its operator');
  const authorizationServerMetadata = await sdk.discoverAuthorizationServerMetadata(authorizationServerUrl, {
    fetchFn: fetch,
  });
  return {
    authorizationServerUrl,
    resourceMetadata,
    ...(authorizationServerMetadata && { authorizationServerMetadata }),
    wantedScope: scope,
  };
}

/** An address of the authorization server: encrypted, unless the MCP server itself is not. */
export function requireEndpoint(text: string, name: string, serverUrl: string): string {
  const endpoint = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = endpoint?.protocol === 'http:' && serverUrl.startsWith('http:');
  if (!endpoint || (endpoint.protocol !== 'https:' && !isPlain))
    throw new McpFault(`The ${name} of the authorization server is not an https:// address`);
  // A user name looks like the host in the address that a person opens.
  if (endpoint.username || endpoint.password || endpoint.hash)
    throw new McpFault(`The ${name} of the authorization server carries a user name, a password or a fragment`);
  if (endpoint.href.length > maxAddress)
    throw new McpFault(`The ${name} of the authorization server is longer than ${maxAddress} characters`);
  return endpoint.href;
}
