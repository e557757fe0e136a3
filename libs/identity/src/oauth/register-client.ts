import { randomBytes } from 'node:crypto';
import type { Context } from '@lensforge/core';
import { OAuthClient } from './oauth-client.entity.js';
import { oauthError } from './oauth-error.js';
import { plainLine } from '../accounts/plain-line.js';
import { faultOfRedirectUri, shownUri } from './redirect-uri.js';

export interface NewClient {
  /** As the client calls itself; any text. */
  name?: string;
  redirectUris: readonly string[];
  /** Schemes without a dot that the operator allows in redirect addresses. */
  allowedSchemes?: readonly string[];
}

const mostUris = 20;
const longestName = 200;

/** Lets an unknown program ask people for tokens (RFC 7591). It gets no secret. */
export async function registerClient(ctx: Context, client: NewClient): Promise<OAuthClient> {
  const { name, redirectUris, allowedSchemes } = client;
  checkNumberOf(redirectUris);
  for (const [index, uri] of redirectUris.entries()) {
    const fault = faultOfRedirectUri(uri, allowedSchemes);
    if (fault !== undefined) {
      throw oauthError('invalid_redirect_uri', `redirect_uris[${index}]${inBrackets(uri)} ${fault}`);
    }
  }
  const registered = ctx.db.create(OAuthClient, {
    id: `lf_mcp_client_${randomBytes(16).toString('hex')}`,
    name: nameOf(name, redirectUris),
    redirectUris: [...new Set(redirectUris)],
    kind: 'tool',
    createdAt: ctx.now(),
    lastUsedAt: null,
  });
  await ctx.db.insert(OAuthClient, registered);
  return registered;
}

function checkNumberOf({ length }: readonly string[]): void {
  if (length === 0) {
    throw oauthError('invalid_redirect_uri', `redirect_uris is empty: name 1 to ${mostUris} addresses`);
  }
  if (length > mostUris) {
    throw oauthError('invalid_redirect_uri', `redirect_uris has ${length} addresses: at most ${mostUris} are allowed`);
  }
}

const inBrackets = (uri: string): string => (uri === '' ? '' : ` (${shownUri(uri)})`);

function nameOf(name: string | undefined, [first = '']: readonly string[]): string {
  const plain = plainLine(name ?? '');
  if ([...plain].length > longestName) {
    throw oauthError('invalid_client_metadata', `client_name must have at most ${longestName} characters`);
  }
  return plain === '' ? new URL(first).host || 'A program without a name' : plain;
}
