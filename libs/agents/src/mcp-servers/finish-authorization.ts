import { timingSafeEqual } from 'node:crypto';
import { recordAudit } from '@lensforge/audit';
import type { McpAuth, McpServer } from '@lensforge/contracts';
import { type Context, DomainError } from '@lensforge/core';
import { inTransaction, toJsonb } from '@lensforge/database';
import {
  type McpAuthorizationSecret,
  type McpAuthorizationWork,
  enqueueAuthorization,
  exchangeMs,
  sealAuthorization,
  storeCode,
} from './mcp-authorization.js';
import { startMcpRefresh } from './refresh-mcp-server.js';
import { sealSecret } from './seal-secret.js';
import { readableMcpServer, requireInUse, writableMcpServer } from './server-access.js';
import type { McpSecret } from './server-auth.js';

export interface McpAuthorizationAnswerOrder {
  serverId: string;
  state: string;
  code: string;
  iss?: string | undefined;
}

interface Waiting {
  id: string;
  state: string;
  issuer: string;
  needsIss: boolean;
}

const beginAgain = 'begin again with POST /v1/mcp-servers/{mcpServerId}/authorization';

/** Hands the code of the browser to a worker. The state works once, and only for the owner of the server. */
export async function finishMcpAuthorization(ctx: Context, order: McpAuthorizationAnswerOrder): Promise<McpServer> {
  const fault = await inTransaction(ctx, async (ctx) => {
    const server = await writableMcpServer(ctx, order.serverId);
    requireInUse(server);
    const { id: serverId } = server;
    const [waiting] = await ctx.db.query<Waiting[]>(
      `select id, state, issuer, needs_iss as "needsIss" from mcp_authorizations
        where server_id = $1 and status = 'waiting' and expires_at > now() for update`,
      [serverId],
    );
    if (!waiting) throw new DomainError('CONFLICT', `No authorization waits to be finished: ${beginAgain}`);
    if (!isEqual(waiting.state, order.state))
      throw new DomainError('CONFLICT', `The state is not that of the newest authorization: ${beginAgain}`);
    const wrong = issuerFault(waiting, order.iss);
    if (wrong !== undefined) {
      // The code may come from another authorization server: no server gets it.
      await failMcpAuthorization(ctx, waiting.id, wrong);
      return wrong;
    }
    await storeCode(ctx, waiting.id, order.code);
    await ctx.db.query(
      `update mcp_authorizations set status = 'exchanging', authorization_url = null, expires_at = $2 where id = $1`,
      [waiting.id, new Date(ctx.now().getTime() + exchangeMs)],
    );
    await enqueueAuthorization(ctx, waiting.id);
    return undefined;
  });
  if (fault !== undefined) throw new DomainError('CONFLICT', `${fault}: ${beginAgain}`);
  return readableMcpServer(ctx, order.serverId);
}

/** Checks which authorization server has answered (RFC 9207). */
function issuerFault({ issuer, needsIss }: Waiting, iss: string | undefined): string | undefined {
  if (iss === undefined)
    return needsIss ? 'The response lacks iss, which its authorization server promises' : undefined;
  return iss === issuer ? undefined : `The response names another issuer than ${issuer}`;
}

function isEqual(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Ends an authorization with a message for its owner, and deletes its secrets. */
export async function failMcpAuthorization({ db }: Context, id: string, message: string): Promise<void> {
  await db.query('delete from mcp_authorization_codes where id = $1', [id]);
  await db.query(
    `update mcp_authorizations set status = 'failed', message = $2, authorization_url = null, key_pair = null,
            data_key = null, secret = null
      where id = $1 and status in ('preparing', 'waiting', 'exchanging')`,
    [id, message],
  );
}

export interface PreparedAuthorization {
  auth: McpAuth;
  secret: McpAuthorizationSecret;
  authorizationUrl: string;
  issuer: string;
  needsIss: boolean;
}

/** Stores what a worker has prepared, unless another worker has done so or the authorization was replaced. */
export function savePreparedAuthorization(
  ctx: Context,
  { id, accountId }: McpAuthorizationWork,
  { auth, secret, authorizationUrl, issuer, needsIss }: PreparedAuthorization,
): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const box = await sealAuthorization(ctx, { id, accountId }, secret);
    await ctx.db.query(
      `update mcp_authorizations set status = 'waiting', auth = $2, authorization_url = $3, issuer = $4, needs_iss = $5,
              key_pair = $6, data_key = $7, secret = $8
        where id = $1 and status = 'preparing'`,
      [id, toJsonb(auth), authorizationUrl, issuer, needsIss, ...box],
    );
  });
}

/** Replaces the credentials of a server by the tokens of an authorization, and has a worker read its tools. */
export function completeMcpAuthorization(
  ctx: Context,
  { id, serverId, accountId, url, auth }: Pick<McpAuthorizationWork, 'id' | 'serverId' | 'accountId' | 'url' | 'auth'>,
  secret: McpSecret,
): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const owner = { ...ctx, actor: { ...ctx.actor, accountId } };
    // The server is locked before its authorization, as everywhere.
    const { name, enabled, authorizationServer } = await writableMcpServer(owner, serverId);
    const [, ended] = await ctx.db.query<[unknown, number]>(
      `update mcp_authorizations set status = 'authorized', key_pair = null, data_key = null, secret = null
        where id = $1 and status = 'exchanging'`,
      [id],
    );
    if (ended === 0) return;
    const box = await sealSecret(ctx, { id: serverId, accountId, url }, secret);
    await ctx.db.query(
      `update mcp_servers set auth = $2, key_pair = $3, data_key = $4, secret = $5, secret_version = secret_version + 1,
              renewal_until = null, updated_at = $6
        where id = $1`,
      [serverId, toJsonb(auth), ...box, ctx.now()],
    );
    if (enabled && !authorizationServer?.changedTo) await startMcpRefresh(owner, serverId);
    await recordAudit(ctx, {
      accountId,
      action: 'mcp_server.authorized',
      target: { kind: 'mcp_server', id: serverId },
      details: { name, auth },
    });
  });
}
