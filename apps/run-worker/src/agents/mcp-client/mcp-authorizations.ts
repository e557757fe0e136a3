import {
  type McpAuthorizationWork,
  completeMcpAuthorization,
  failMcpAuthorization,
  mcpAuthorizationWork,
  openMcpAuthorization,
  savePreparedAuthorization,
  takeMcpCode,
} from '@lensforge/agents';
import type { ByokOpener } from '@lensforge/byok';
import type { Context } from '@lensforge/core';
import { isTransient, withDbRetry } from '@lensforge/database';
import type { EgressFetch } from '@lensforge/egress';
import { type Fetch, guardedFetch } from './guarded-fetch.js';
import { McpFault, faultMessage, isOfServer } from './mcp-fault.js';
import { prepareAuthorization } from './prepare-authorization.js';
import { sendTokenRequest } from './request-token.js';
import { requireIssuer } from './require-issuer.js';

export interface McpAuthorizationsParts {
  /** Undefined in a worker without LENSFORGE_BYOK_MASTER_KEY. */
  opener: ByokOpener | undefined;
  egress: () => Promise<EgressFetch>;
  /** The time for all requests of one step. */
  timeoutMs: number;
  log: { warn(details: object, message: string): void };
}

const maxMessage = 1000;

/** Prepares authorizations of MCP servers, and exchanges their codes for tokens. */
export class McpAuthorizations {
  constructor(private readonly parts: McpAuthorizationsParts) {}

  /** A repeated call has no effect once the step has ended; a code is sent once. */
  async run(ctx: Context, id: string): Promise<void> {
    const work = await withDbRetry(() => mcpAuthorizationWork(ctx, id));
    if (!work) return;
    const { egress, timeoutMs, log } = this.parts;
    const limit = AbortSignal.timeout(timeoutMs);
    try {
      const { fetch } = guardedFetch(await egress(), limit);
      await (work.status === 'preparing' ? this.prepare(ctx, work, fetch) : this.exchange(ctx, work, fetch));
    } catch (reason) {
      if (!isOfServer(reason) && isTransient(reason)) throw reason;
      if (!limit.aborted && !isOfServer(reason))
        log.warn({ err: reason, authorizationId: id }, 'an MCP server could not be authorized');
      const message = limit.aborted
        ? `The authorization server did not answer within ${timeoutMs / 1000} s: begin again`
        : isOfServer(reason)
          ? faultMessage(reason)
          : 'The authorization failed: begin again';
      await failMcpAuthorization(ctx, id, message.slice(0, maxMessage));
    }
  }

  private async prepare(ctx: Context, work: McpAuthorizationWork, fetch: Fetch): Promise<void> {
    const secret = openMcpAuthorization(this.opener, work);
    const prepared = await prepareAuthorization(work, secret, {
      fetch,
      requireIssuer: (named) => requireIssuer(ctx, work.serverId, named),
    });
    await savePreparedAuthorization(ctx, work, prepared);
  }

  private async exchange(ctx: Context, work: McpAuthorizationWork, fetch: Fetch): Promise<void> {
    const { clientId = '', tokenUrl = '' } = work.auth;
    const { verifier, clientSecret, resource = work.url, isInBody = false } = openMcpAuthorization(this.opener, work);
    const code = await takeMcpCode(ctx, this.opener, work.id);
    // Another call has sent it.
    if (code === undefined) return;
    const body = new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      redirect_uri: work.redirectUri,
      code_verifier: verifier,
      resource,
    });
    const endpoint = { url: tokenUrl, isInBody };
    const issued = await sendTokenRequest({ endpoint, clientId, clientSecret, body }, fetch);
    const { accessToken, refreshToken, expiresInSeconds } = issued;
    await withDbRetry(() =>
      completeMcpAuthorization(ctx, work, {
        accessToken,
        resource,
        isInBody,
        ...(clientSecret !== undefined && { clientSecret }),
        ...(refreshToken !== undefined && { refreshToken }),
        ...(expiresInSeconds !== undefined && { expiresAt: ctx.now().getTime() + expiresInSeconds * 1000 }),
      }),
    );
  }

  private get opener(): ByokOpener {
    const { opener } = this.parts;
    if (!opener)
      throw new McpFault('This worker has no LENSFORGE_BYOK_MASTER_KEY, so it cannot open the secrets of MCP servers');
    return opener;
  }
}
