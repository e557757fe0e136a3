import { type Scope, scopes } from '@lensforge/contracts';
import { type Context, DomainError } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { AuthorizationCode, type Issuer } from './authorization-code.entity.js';
import { findClient } from './find-client.js';
import { issueToken } from '../tokens/issue-token.js';
import { OAuthClient } from './oauth-client.entity.js';
import { oauthError } from './oauth-error.js';
import { isCodeChallenge } from './pkce.js';
import { matchRedirectUri } from './redirect-uri.js';
import { makeSecret } from '../tokens/secrets.js';
import { hashToken } from '../tokens/token.js';
import { User } from '../accounts/user.entity.js';

export interface CodeRequest {
  issuer: Issuer;
  clientId: string;
  redirectUri: string;
  /** Made with S256. */
  codeChallenge: string;
  resource?: string | undefined;
  /** The user who approved the request. */
  userId: string;
  /** The scopes of a token of the tools' issuer; all when omitted. */
  scopes?: readonly Scope[] | undefined;
  /** Makes the code differ from the token that it is exchanged for. */
  strict?: boolean;
}

const lifetimeMs = 60_000;

/** Issues an authorization code. A code of the tools' issuer is the token itself, which is invalid until the exchange. */
export async function issueCode(ctx: Context, request: CodeRequest): Promise<{ code: string }> {
  const { issuer, redirectUri, codeChallenge, userId, strict = false } = request;
  const client = await findClient(ctx, request.clientId, issuer);
  if (!client) throw oauthError('invalid_client', 'client_id is unknown');
  if (matchRedirectUri(client, redirectUri) === undefined) {
    throw oauthError('invalid_request', 'redirect_uri is not registered for this client');
  }
  if (!isCodeChallenge(codeChallenge))
    throw oauthError('invalid_request', 'code_challenge must be the base64url of a SHA-256 digest: 43 characters');
  return inTransaction(ctx, async (ctx) => {
    const accountId = await readAccount(ctx, userId);
    const { resource, scopes } = request;
    const token =
      issuer === 'tools' ? await sealedToken(ctx, { client, accountId, userId, resource, scopes }) : undefined;
    const code = token && !strict ? token.value : makeSecret('cod').value;
    await ctx.db.insert(AuthorizationCode, {
      hash: hashToken(code),
      issuer,
      clientId: client.id,
      redirectUri,
      codeChallenge,
      resource: resource ?? null,
      userId,
      tokenId: token?.id ?? null,
      sessionId: null,
      createdAt: ctx.now(),
      expiresAt: new Date(ctx.now().getTime() + lifetimeMs),
      failedAttempts: 0,
      exchangedAt: null,
      invalidatedAt: null,
    });
    await ctx.db.update(OAuthClient, { id: client.id }, { lastUsedAt: ctx.now() });
    return { code };
  });
}

async function readAccount(ctx: Context, userId: string): Promise<string> {
  const user = await ctx.db.findOneBy(User, { id: userId });
  if (!user || user.disabledAt) throw new DomainError('FORBIDDEN', 'This user is disabled');
  if (user.accountId === null) throw new DomainError('FORBIDDEN', 'Choose a handle first: programs act under it');
  return user.accountId;
}

interface McpGrant {
  client: Pick<OAuthClient, 'id' | 'name'>;
  accountId: string;
  userId: string;
  resource: string | undefined;
  scopes: readonly Scope[] | undefined;
}

async function sealedToken(
  ctx: Context,
  { client, accountId, userId, resource, scopes: granted = scopes }: McpGrant,
): Promise<{ value: string; id: string }> {
  const { value, token } = await issueToken(ctx, {
    kind: 'mcp',
    accountId,
    userId,
    label: client.name,
    scopes: granted,
    sealed: true,
    clientId: client.id,
    ...(resource && { resource }),
  });
  return { value, id: token.id };
}
