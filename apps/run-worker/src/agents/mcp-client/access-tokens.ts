import { setTimeout as pause } from 'node:timers/promises';
import {
  type McpConnection,
  type McpSecret,
  claimMcpRenewal,
  endMcpRenewal,
  mcpConnection,
  openMcpSecret,
  saveMcpSecret,
  suspendedMessage,
} from '@lensforge/agents';
import type { ByokOpener } from '@lensforge/byok';
import type { Context } from '@lensforge/core';
import { withDbRetry } from '@lensforge/database';
import type { Fetch } from './guarded-fetch.js';
import { McpFault } from './mcp-fault.js';
import { type TokenEndpoint, requestToken } from './request-token.js';
import { currentIssuer, isEndpointGiven } from './require-issuer.js';

export interface Credentials {
  headers: Readonly<Record<string, string>>;
  /** The values that no text for others may contain. */
  secrets: readonly string[];
}

/** A worker that renews a token has so long before another one tries. */
const renewalMs = 60_000;
const pollMs = 200;
/** A token that expires sooner is renewed. */
const marginMs = 30_000;

export interface CredentialOrder {
  connection: McpConnection;
  fetch: Fetch;
  signal: AbortSignal;
  /** True after the server has refused the last token. */
  renew: boolean;
  /** Reads the metadata of the server also while its token is usable, in case it names another authorization server. */
  checksIssuer: boolean;
}

/** Opens the credentials of servers, and renews access tokens: one worker at a time uses a refresh token. */
export class AccessTokens {
  constructor(
    private readonly ctx: Context,
    /** Undefined in a worker without LENSFORGE_BYOK_MASTER_KEY. */
    private readonly opener: ByokOpener | undefined,
  ) {}

  async credentialsFor({ connection, fetch, signal, renew, checksIssuer }: CredentialOrder): Promise<Credentials> {
    const { auth } = connection;
    if (auth.kind === 'none') return { headers: {}, secrets: [] };
    requireNoOffer(connection);
    const secret = this.open(connection);
    if (auth.kind === 'header') {
      const value = secret.headerValue ?? '';
      return { headers: { [auth.headerName ?? 'authorization']: value }, secrets: secretsIn(value) };
    }
    const usable = renew ? undefined : usableToken(this.ctx, secret);
    if (usable !== undefined && checksIssuer && !isEndpointGiven(connection))
      await currentIssuer(this.ctx, connection, fetch);
    const token = usable ?? (await this.renewed(connection, { fetch, signal }));
    return { headers: { authorization: `Bearer ${token}` }, secrets: [token] };
  }

  private open(connection: McpConnection): McpSecret {
    const { opener } = this;
    if (!opener)
      throw new McpFault('This worker has no LENSFORGE_BYOK_MASTER_KEY, so it cannot open the secrets of MCP servers');
    return openMcpSecret(opener, connection);
  }

  private async renewed(
    first: McpConnection,
    { fetch, signal }: { fetch: Fetch; signal: AbortSignal },
  ): Promise<string> {
    for (let connection = first; ;) {
      if (await claimMcpRenewal(this.ctx, connection, renewalMs)) return this.renew(connection, fetch);
      // Another worker renews it, or has just done so.
      await pause(pollMs, undefined, { signal });
      const current = await withDbRetry(() => mcpConnection(this.ctx, first.id));
      if (!current) throw new McpFault('The MCP server is disabled or deleted');
      requireNoOffer(current);
      const token = usableToken(this.ctx, this.open(current));
      if (current.secretVersion !== connection.secretVersion && token !== undefined) return token;
      connection = current;
    }
  }

  private async findTokenEndpoint(connection: McpConnection, secret: McpSecret, fetch: Fetch): Promise<TokenEndpoint> {
    const { tokenUrl } = connection.auth;
    if (tokenUrl !== undefined && isEndpointGiven(connection))
      return { url: tokenUrl, isInBody: secret.isInBody ?? false };
    const issuer = await currentIssuer(this.ctx, connection, fetch);
    return { url: issuer.tokenUrl, isInBody: issuer.isInBody };
  }

  private async renew(connection: McpConnection, fetch: Fetch): Promise<string> {
    try {
      const secret = this.open(connection);
      const endpoint = await this.findTokenEndpoint(connection, secret, fetch);
      const issued = await requestToken(connection, secret, { endpoint, fetch });
      const { accessToken, expiresInSeconds, refreshToken } = issued;
      const { accessToken: _, expiresAt: __, ...kept } = secret;
      await saveMcpSecret(this.ctx, connection, {
        ...kept,
        accessToken,
        ...(refreshToken !== undefined && { refreshToken }),
        ...(expiresInSeconds !== undefined && { expiresAt: this.ctx.now().getTime() + expiresInSeconds * 1000 }),
      });
      return accessToken;
    } catch (reason) {
      await endMcpRenewal(this.ctx, connection);
      throw reason;
    }
  }
}

/** Throws for a server that is suspended because it names another authorization server. */
function requireNoOffer({ offeredIssuer }: McpConnection): void {
  if (offeredIssuer) throw new McpFault(suspendedMessage(offeredIssuer.issuer));
}

function usableToken(ctx: Context, { accessToken, expiresAt }: McpSecret): string | undefined {
  const isExpired = expiresAt !== undefined && expiresAt - marginMs <= ctx.now().getTime();
  return isExpired ? undefined : accessToken;
}

/** A header value, and its part after a scheme such as `Bearer`. */
const secretsIn = (value: string): string[] =>
  [value, value.split(' ').at(-1) ?? ''].filter((each) => each.length >= 6);
