import {
  type McpConnection,
  type McpIssuer,
  acceptsMcpIssuer,
  isSameIssuer,
  suspendedMessage,
} from '@lensforge/agents';
import type { Context } from '@lensforge/core';
import { withDbRetry } from '@lensforge/database';
import { discoverIssuer } from './discover-issuer.js';
import type { Fetch } from './guarded-fetch.js';
import { McpFault, isOfServer } from './mcp-fault.js';

type IssuedConnection = Pick<McpConnection, 'id' | 'url' | 'auth' | 'issuer'>;

/** True when the owner has named the token endpoint, so that the metadata of the server does not matter. */
export const isEndpointGiven = ({ auth, issuer }: Pick<IssuedConnection, 'auth' | 'issuer'>): boolean =>
  auth.tokenUrl !== undefined && (auth.grantType !== 'authorization_code' || !issuer);

/** Throws for another authorization server than the pinned one, which suspends the MCP server. */
export async function requireIssuer(ctx: Context, serverId: string, named: McpIssuer): Promise<void> {
  if (!(await withDbRetry(() => acceptsMcpIssuer(ctx, serverId, named))))
    throw new McpFault(suspendedMessage(named.issuer));
}

/** The pinned authorization server of a connection, after its MCP server has named it again. The first one is pinned. */
export async function currentIssuer(ctx: Context, connection: IssuedConnection, fetch: Fetch): Promise<McpIssuer> {
  const { id, issuer } = connection;
  const named = await namedIssuer(connection, fetch);
  if (!issuer || !isSameIssuer(issuer, named)) await requireIssuer(ctx, id, named);
  return named;
}

/** Metadata that cannot be read for a while changes nothing: the secrets go to the pinned token endpoint. */
async function namedIssuer({ url, issuer }: IssuedConnection, fetch: Fetch): Promise<McpIssuer> {
  try {
    const named = await discoverIssuer(url, fetch);
    if (named) return named;
  } catch (reason) {
    if (!issuer || !isOfServer(reason)) throw reason;
  }
  if (issuer) return issuer;
  throw new McpFault('The server has no metadata of an authorization server: give auth.tokenUrl of the MCP server');
}
