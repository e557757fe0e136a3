import { randomBytes } from 'node:crypto';
import type { McpServer } from '@lensforge/contracts';
import { type Context, badInput, newId } from '@lensforge/core';
import { inTransaction, toJsonb } from '@lensforge/database';
import {
  authorizationMs,
  deleteMcpAuthorization,
  enqueueAuthorization,
  sealAuthorization,
} from './mcp-authorization.js';
import { readableMcpServer, requireInUse, writableMcpServer } from './server-access.js';

export interface McpAuthorizationOrder {
  serverId: string;
  redirectUri: string;
  clientId?: string | undefined;
  clientSecret?: string | undefined;
  scope?: string | undefined;
}

/** Begins the authorization of an MCP server of the caller and has a worker prepare it. It replaces an older one. */
export async function beginMcpAuthorization(ctx: Context, order: McpAuthorizationOrder): Promise<McpServer> {
  const { serverId, redirectUri, clientId, clientSecret, scope } = order;
  requireRedirectUri(redirectUri);
  if (clientSecret !== undefined && clientId === undefined) throw badInput('clientId', 'is required with clientSecret');
  return inTransaction(ctx, async (ctx) => {
    const found = await writableMcpServer(ctx, serverId);
    requireInUse(found);
    const { id: server } = found;
    await deleteMcpAuthorization(ctx, server);
    const { accountId } = ctx.actor;
    const id = newId();
    const verifier = randomBytes(48).toString('base64url');
    const secret = { verifier, ...(clientSecret !== undefined && { clientSecret }) };
    const box = await sealAuthorization(ctx, { id, accountId }, secret);
    const auth = {
      kind: 'oauth',
      grantType: 'authorization_code',
      ...(clientId !== undefined && { clientId }),
      ...(scope !== undefined && { scope }),
    };
    const now = ctx.now();
    await ctx.db.query(
      `insert into mcp_authorizations (id, server_id, account_id, status, redirect_uri, auth, state, key_pair, data_key, secret,
              created_at, expires_at)
       values ($1, $2, $3, 'preparing', $4, $5, $6, $7, $8, $9, $10, $11)`,
      [
        id,
        server,
        accountId,
        redirectUri,
        toJsonb(auth),
        randomBytes(24).toString('base64url'),
        ...box,
        now,
        new Date(now.getTime() + authorizationMs),
      ],
    );
    await enqueueAuthorization(ctx, id);
    return readableMcpServer(ctx, server);
  });
}

const loopback = /^(localhost|127\.0\.0\.1|\[::1\])$/;

/** The browser brings the code only to the computer of the caller or over an encrypted connection. */
function requireRedirectUri(text: string): void {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isLoopback = url?.protocol === 'http:' && loopback.test(url.hostname);
  if (!url || (!isLoopback && url.protocol !== 'https:'))
    throw badInput(
      'redirectUri',
      'must be an https:// address, or an http:// address of 127.0.0.1, [::1] or localhost',
    );
  if (url.username || url.password || url.hash)
    throw badInput('redirectUri', 'must not carry a user name, a password or a fragment');
}
