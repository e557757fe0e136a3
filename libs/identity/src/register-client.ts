import { randomBytes } from 'node:crypto';
import type { Context } from '@lensforge/core';
import { OAuthClient } from './oauth-client.entity.js';
import { oauthError } from './oauth-error.js';
import { plainLine } from './plain-line.js';
import { faultOfRedirectUri } from './redirect-uri.js';

export interface NewClient {
  /** As the client calls itself; any text. */
  name?: string;
  redirectUris: readonly string[];
}

const mostUris = 20;
const longestName = 200;

/** Lets a program that nobody here knows ask people for tokens (RFC 7591). It gets no secret. */
export async function registerClient(ctx: Context, { name, redirectUris }: NewClient): Promise<OAuthClient> {
  if (redirectUris.length === 0 || redirectUris.length > mostUris) {
    throw oauthError('invalid_redirect_uri', `redirect_uris: 1 to ${mostUris} of them can be registered`);
  }
  for (const [index, uri] of redirectUris.entries()) {
    const fault = faultOfRedirectUri(uri);
    if (fault !== undefined) throw oauthError('invalid_redirect_uri', `redirect_uris[${index}] ${fault}`);
  }
  const client = ctx.db.create(OAuthClient, {
    id: `lf_mcp_client_${randomBytes(16).toString('hex')}`,
    name: nameOf(name, redirectUris),
    redirectUris: [...new Set(redirectUris)],
    kind: 'tool',
    createdAt: ctx.now(),
    lastUsedAt: null,
  });
  await ctx.db.insert(OAuthClient, client);
  return client;
}

function nameOf(name: string | undefined, [first = '']: readonly string[]): string {
  const plain = plainLine(name ?? '');
  if ([...plain].length > longestName) {
    throw oauthError('invalid_client_metadata', `client_name: at most ${longestName} characters`);
  }
  return plain === '' ? new URL(first).host || 'A program without a name' : plain;
}
