import { randomBytes } from 'node:crypto';
import type { Context } from '@lensforge/core';
import { OAuthClient } from './oauth-client.entity.js';
import { oauthError } from './oauth-error.js';
import { toSingleLine } from '../accounts/single-line.js';
import { faultOfRedirectUri, displayUri } from './redirect-uri.js';

export interface NewClient {
  /** The name that the client gives itself; any text. */
  name?: string;
  redirectUris: readonly string[];
  /** Schemes without a dot that the operator allows in redirect URIs. */
  allowedSchemes?: readonly string[];
}

const maxUris = 20;
const maxNameLength = 200;

/** Registers an OAuth client without a secret (RFC 7591). */
export async function registerClient(ctx: Context, client: NewClient): Promise<OAuthClient> {
  const { name, redirectUris, allowedSchemes } = client;
  checkCount(redirectUris);
  for (const [index, uri] of redirectUris.entries()) {
    const fault = faultOfRedirectUri(uri, allowedSchemes);
    if (fault !== undefined) {
      throw oauthError('invalid_redirect_uri', `redirect_uris[${index}]${inParentheses(uri)} ${fault}`);
    }
  }
  const registered = ctx.db.create(OAuthClient, {
    id: `lf_mcp_client_${randomBytes(16).toString('hex')}`,
    name: toClientName(name, redirectUris),
    redirectUris: [...new Set(redirectUris)],
    kind: 'tool',
    createdAt: ctx.now(),
    lastUsedAt: null,
  });
  await ctx.db.insert(OAuthClient, registered);
  return registered;
}

function checkCount({ length }: readonly string[]): void {
  if (length === 0) {
    throw oauthError('invalid_redirect_uri', `redirect_uris is empty: name 1 to ${maxUris} addresses`);
  }
  if (length > maxUris) {
    throw oauthError('invalid_redirect_uri', `redirect_uris has ${length} addresses: at most ${maxUris} are allowed`);
  }
}

const inParentheses = (uri: string): string => (uri === '' ? '' : ` (${displayUri(uri)})`);

function toClientName(name: string | undefined, [first = '']: readonly string[]): string {
  const plain = toSingleLine(name ?? '');
  if ([...plain].length > maxNameLength) {
    throw oauthError('invalid_client_metadata', `client_name must have at most ${maxNameLength} characters`);
  }
  return plain === '' ? new URL(first).host || 'A program without a name' : plain;
}
