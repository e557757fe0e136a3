import { defineEndpoints } from '../catalogue/endpoint.js';
import { dateTime, flag, integer, list, nested, oneOf, record, text, uuid } from '../schema/field.js';
import { textKind } from '../schema/kinds.js';
import { CountedPageQuery, PageQuery } from '../schema/paging.js';

/** External MCP servers of an account, whose tools AI lensers can use. */

export const mcpAuthKinds = ['none', 'header', 'oauth'] as const;
export type McpAuthKind = (typeof mcpAuthKinds)[number];

export const mcpGrantTypes = ['client_credentials', 'refresh_token'] as const;
export type McpGrantType = (typeof mcpGrantTypes)[number];

const storedGrantTypes = [...mcpGrantTypes, 'authorization_code'] as const;

const authorizationStatuses = ['preparing', 'waiting', 'exchanging', 'authorized', 'failed'] as const;
export type McpAuthorizationStatus = (typeof authorizationStatuses)[number];

const refreshStatuses = ['pending', 'succeeded', 'failed'] as const;
export type McpRefreshStatus = (typeof refreshStatuses)[number];

const visible = /^[\x21-\x7e]+$/;
const sealed = 'It is sealed before it is stored, and never shown again.';
const ofOauth = 'For oauth:';

/** The pattern of the name of an MCP server, which is the connector in `mcp:<connector>/<tool>`. */
export const mcpServerName = /^[a-z0-9][a-z0-9-]{0,39}$/;

/** The names of tools that can be used: visible ASCII. */
export const mcpToolName = /^[\x21-\x7e]{1,100}$/;

export class McpServerPath {
  @uuid({ description: 'The MCP server.' })
  mcpServerId!: string;
}

export class McpAuthRequest {
  @oneOf(mcpAuthKinds, { description: 'header: a header with each request, such as authorization; oauth: OAuth 2.1.' })
  kind!: McpAuthKind;

  @text({
    min: 1,
    max: 100,
    pattern: /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/,
    optional: true,
    description: 'For header: its name.',
  })
  headerName?: string;

  @text({
    min: 1,
    max: 4000,
    pattern: /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/,
    optional: true,
    description: `For header: its value, such as "Bearer …". ${sealed}`,
  })
  headerValue?: string;

  @oneOf(mcpGrantTypes, {
    optional: true,
    description: `${ofOauth} how access tokens are obtained.`,
  })
  grantType?: McpGrantType;

  @text({ min: 1, max: 500, pattern: visible, optional: true, description: `${ofOauth} the id of the client.` })
  clientId?: string;

  @text({ min: 1, max: 2000, pattern: visible, optional: true, description: `${ofOauth} its secret. ${sealed}` })
  clientSecret?: string;

  @text({ min: 1, max: 4000, pattern: visible, optional: true, description: `For refresh_token: a token. ${sealed}` })
  refreshToken?: string;

  @text({
    min: 1,
    max: 2048,
    optional: true,
    description: `${ofOauth} the token endpoint; found by the metadata of the server when absent.`,
  })
  tokenUrl?: string;

  @text({ min: 1, max: 1000, optional: true, description: `${ofOauth} the scopes, with spaces between them.` })
  scope?: string;
}

const allowedTools = {
  max: 500,
  description: 'The tools that may be granted; all tools of the server when null.',
} as const;
const url = { min: 1, max: 2048, description: 'The address of the server (streamable HTTP).' } as const;
const name = { pattern: mcpServerName, max: 40 } as const;

export class NewMcpServerRequest {
  @text({ ...name, description: 'The connector in the ids of its tools, mcp:<connector>/<tool>. It never changes.' })
  name!: string;

  @text(url)
  url!: string;

  @nested(() => McpAuthRequest, { optional: true, description: 'none when absent.' })
  auth?: McpAuthRequest;

  @list(textKind({ pattern: mcpToolName, max: 100 }), { ...allowedTools, optional: true, nullable: true })
  allowedTools?: string[] | null;
}

export class McpServerPatch {
  @nested(() => McpAuthRequest, { optional: true, description: 'Replaces the credentials.' })
  auth?: McpAuthRequest;

  @list(textKind({ pattern: mcpToolName, max: 100 }), { ...allowedTools, optional: true, nullable: true })
  allowedTools?: string[] | null;

  @flag({ optional: true, description: 'False: no AI lenser can use its tools.' })
  enabled?: boolean;
}

/** The authentication of a server, without secrets. */
export class McpAuth {
  @oneOf(mcpAuthKinds)
  kind!: McpAuthKind;

  @text({ optional: true })
  headerName?: string;

  @oneOf(storedGrantTypes, { optional: true, description: 'authorization_code: the owner gave consent in a browser.' })
  grantType?: (typeof storedGrantTypes)[number];

  @text({ optional: true })
  clientId?: string;

  @text({ optional: true })
  tokenUrl?: string;

  @text({ optional: true })
  scope?: string;
}

export class McpRefresh {
  @oneOf(refreshStatuses, { description: 'pending: no worker has read the list of tools yet.' })
  status!: McpRefreshStatus;

  @text({ nullable: true, description: 'The result of the last reading, or the cause of its failure.' })
  message!: string | null;

  @dateTime({ nullable: true, description: 'When the list was read last.' })
  refreshedAt!: string | null;
}

export class NewMcpAuthorizationRequest {
  @text({
    min: 1,
    max: 2048,
    description:
      'Where the browser returns to with code and state: your program, at a loopback http:// address or an https:// address.',
  })
  redirectUri!: string;

  @text({
    min: 1,
    max: 500,
    pattern: visible,
    optional: true,
    description: 'The id of a client that you registered; a worker registers one (RFC 7591) when absent.',
  })
  clientId?: string;

  @text({ min: 1, max: 2000, pattern: visible, optional: true, description: `The secret of that client. ${sealed}` })
  clientSecret?: string;

  @text({
    min: 1,
    max: 1000,
    optional: true,
    description: 'The scopes, with spaces between them; those that the server asks for when absent.',
  })
  scope?: string;
}

export class McpAuthorizationAnswer {
  @text({ min: 1, max: 200, pattern: visible, description: 'The state with which the browser returned.' })
  state!: string;

  @text({ min: 1, max: 4000, pattern: visible, description: 'The code with which the browser returned.' })
  code!: string;

  @text({
    min: 1,
    max: 2048,
    optional: true,
    description: 'The iss with which the browser returned, if any (RFC 9207).',
  })
  iss?: string;
}

/** The consent of the owner in a browser, from its beginning to the access token. */
export class McpAuthorization {
  @oneOf(authorizationStatuses, {
    description:
      'preparing: a worker reads the metadata; waiting: open authorizationUrl; exchanging: a worker requests the tokens.',
  })
  status!: McpAuthorizationStatus;

  @text({ nullable: true, description: 'Why it failed, and what to do.' })
  message!: string | null;

  @text({ nullable: true, description: 'The address to open in a browser, while it waits for that.' })
  authorizationUrl!: string | null;

  @dateTime({ description: 'When it fails unless it was finished.' })
  expiresAt!: string;
}

/** An authorization server, whose token endpoint receives the secrets of an MCP server. */
export class McpIssuer {
  @text({ min: 1, max: 2048, description: 'The issuer of its metadata.' })
  issuer!: string;

  @text({ min: 1, max: 2048, description: 'Its token endpoint.' })
  tokenUrl!: string;
}

/** The authorization server that an MCP server named first. */
export class McpAuthorizationServer extends McpIssuer {
  @nested(() => McpIssuer, {
    nullable: true,
    description: 'The one that the server names now: it is suspended until its owner confirms one of both.',
  })
  changedTo!: McpIssuer | null;
}

export class McpServer {
  @uuid()
  id!: string;

  @text(name)
  name!: string;

  @text(url)
  url!: string;

  @nested(() => McpAuth)
  auth!: McpAuth;

  @list(textKind(), { ...allowedTools, nullable: true })
  allowedTools!: string[] | null;

  @flag()
  enabled!: boolean;

  @integer({ min: 0, description: 'The number of tools in its list.' })
  toolCount!: number;

  @text({ nullable: true, description: 'The protocol revision of the last refresh.' })
  protocolVersion!: string | null;

  @nested(() => McpRefresh, { nullable: true, description: 'The last refresh of its list of tools.' })
  refresh!: McpRefresh | null;

  @nested(() => McpAuthorization, { nullable: true, description: 'The last authorization in a browser.' })
  authorization!: McpAuthorization | null;

  @nested(() => McpAuthorizationServer, {
    nullable: true,
    description: 'Found by the metadata of the server at its first token; null before, and when auth has a tokenUrl.',
  })
  authorizationServer!: McpAuthorizationServer | null;

  @dateTime()
  createdAt!: string;

  @dateTime()
  updatedAt!: string;
}

/** A tool of a server. Its texts come from the server: they are data. */
export class McpTool {
  @text({ description: 'The name for grants: mcp:<connector>/<tool>.' })
  toolId!: string;

  @text()
  name!: string;

  @text({ nullable: true })
  title!: string | null;

  @text()
  description!: string;

  @record({ description: 'The JSON Schema of its arguments.' })
  inputSchema!: Record<string, unknown>;

  @record({ description: 'The effects that the server declares, such as readOnlyHint.' })
  annotations!: Record<string, unknown>;

  @flag({ description: 'True when the server says that a repeated call has no further effect.' })
  idempotent!: boolean;

  @flag({ description: 'False when allowedTools of the server lacks it.' })
  allowed!: boolean;

  @text({ description: 'SHA-256 of its description, schemas and annotations; a grant holds for this digest.' })
  digest!: string;

  @dateTime({ description: 'When its digest last changed.' })
  changedAt!: string;
}

const reads = { scopes: ['agents:read'], audience: 'people' } as const;
const writes = { scopes: ['agents:write'], audience: 'people', params: McpServerPath, reply: McpServer } as const;

export const mcpServerEndpoints = defineEndpoints({
  listMcpServers: {
    ...reads,
    route: 'GET /v1/mcp-servers',
    summary: "Lists the caller's external MCP servers, the newest first, without their secrets",
    description:
      'AI lensers use the tools of these servers as far as they are granted. A server that is not enabled is listed, too.',
    query: PageQuery,
    reply: McpServer,
    rate: 'list',
    replies: 'list',
  },
  createMcpServer: {
    scopes: ['agents:write'],
    audience: 'people',
    route: 'POST /v1/mcp-servers',
    summary: 'Registers an external MCP server, whose tools AI lensers of the caller can be granted; reads its tools',
    description:
      'Secrets are sealed. The reply waits a few seconds for the list of tools; when its refresh is pending, read the server again. 409 when the name is taken.',
    body: NewMcpServerRequest,
    reply: McpServer,
    status: 201,
    rate: 'create',
    errors: [409, 503],
  },
  getMcpServer: {
    ...reads,
    route: 'GET /v1/mcp-servers/{mcpServerId}',
    summary: 'Reads an MCP server without its secrets',
    description: 'Shows the address, the kind of authentication and the result of the last refresh of its tools.',
    params: McpServerPath,
    reply: McpServer,
    rate: 'read',
  },
  updateMcpServer: {
    ...writes,
    route: 'PATCH /v1/mcp-servers/{mcpServerId}',
    summary: 'Changes credentials, allowed tools or whether the server is enabled',
    description: 'Name and address never change. Grants of tools that are no longer allowed stay, and cannot be used.',
    body: McpServerPatch,
    rate: 'write',
    errors: [503],
  },
  deleteMcpServer: {
    ...writes,
    route: 'DELETE /v1/mcp-servers/{mcpServerId}',
    summary: 'Deletes a server with its secrets, and revokes the grants of its tools',
    description: 'Agents cannot call its tools from then on. A server with the same name needs new grants.',
    rate: 'write',
  },
  refreshMcpServer: {
    ...writes,
    route: 'POST /v1/mcp-servers/{mcpServerId}/refresh',
    summary: 'Reads the list of tools again; answers pending when the server takes more than a few seconds',
    description:
      'A tool whose description, schema or annotations changed is suspended for each agent until it is granted again.',
    rate: 'test',
    errors: [409],
  },
  authorizeMcpServer: {
    ...writes,
    route: 'POST /v1/mcp-servers/{mcpServerId}/authorization',
    summary: 'Begins the OAuth authorization of a server; answers an address to open in a browser',
    description:
      'A worker reads the metadata of the server and registers a client. While authorization.status is preparing, read the server again. It replaces an authorization that was begun before.',
    body: NewMcpAuthorizationRequest,
    example: { redirectUri: 'http://127.0.0.1:8400/callback' },
    rate: 'test',
    errors: [409, 503],
  },
  finishMcpAuthorization: {
    ...writes,
    route: 'POST /v1/mcp-servers/{mcpServerId}/authorization/finish',
    summary: 'Finishes an authorization with the code with which the browser returned',
    description:
      'A worker exchanges the code for tokens, which replace auth of the server, and reads its tools. Only the owner can finish, once, within ten minutes; begin again after a failure.',
    body: McpAuthorizationAnswer,
    example: { state: 'f4Hn1pWcQ8mZ', code: 'SplxlOBeZQQYbYS6WxSbIA' },
    rate: 'test',
    errors: [409, 503],
  },
  confirmMcpIssuer: {
    ...writes,
    route: 'POST /v1/mcp-servers/{mcpServerId}/issuer',
    summary: 'Ends the suspension of a server whose authorization server has changed',
    description:
      'Names the issuer and tokenUrl of authorizationServer.changedTo, which get the secrets from then on, or those of authorizationServer, which keep them. 409 when neither is named or none has changed.',
    body: McpIssuer,
    example: { issuer: 'https://auth.example.com', tokenUrl: 'https://auth.example.com/token' },
    rate: 'write',
    errors: [409],
  },
  listMcpTools: {
    ...reads,
    route: 'GET /v1/mcp-servers/{mcpServerId}/tools',
    summary: 'Lists the tools of a server, by name',
    description: 'The list is that of the last refresh. Grant a tool by its toolId.',
    params: McpServerPath,
    query: CountedPageQuery,
    reply: McpTool,
    rate: 'list',
    replies: 'list',
  },
});
