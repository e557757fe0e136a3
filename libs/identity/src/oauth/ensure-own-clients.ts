import type { Context } from '@lensforge/core';
import { OAuthClient } from './oauth-client.entity.js';

export const localdevClientId = 'lf_mcp_client_localdev';
export const cliClientId = 'lensforge-cli';
export const consoleClientId = 'lensforge-console';

const anyPort = (...hosts: readonly string[]): string[] => hosts.map((host) => `http://${host}/callback`);

/** Writes the platform's own OAuth clients as configured. The oauth service calls it at each start. */
export async function ensureOwnClients(
  ctx: Context,
  { localdev, consoleRedirectUris = [] }: { localdev: boolean; consoleRedirectUris?: readonly string[] },
): Promise<void> {
  const cliUris = anyPort('127.0.0.1', 'localhost', '[::1]');
  await ensure(ctx, { id: cliClientId, name: 'Lensforge CLI', redirectUris: cliUris, kind: 'first_party' });
  const console = { id: consoleClientId, name: 'Lensforge console', kind: 'first_party' } as const;
  await ensure(ctx, { ...console, redirectUris: consoleRedirectUris });
  if (localdev) {
    const redirectUris = anyPort('127.0.0.1', 'localhost');
    await ensure(ctx, { id: localdevClientId, name: 'Local development', redirectUris, kind: 'tool' });
  } else {
    await ctx.db.delete(OAuthClient, { id: localdevClientId });
  }
}

interface OwnClient {
  id: string;
  name: string;
  redirectUris: readonly string[];
  kind: 'tool' | 'first_party';
}

async function ensure(ctx: Context, { id, name, redirectUris, kind }: OwnClient): Promise<void> {
  await ctx.db.query(
    `insert into oauth_clients (id, name, redirect_uris, kind, created_at) values ($1, $2, $3, $4, $5)
     on conflict (id) do update set name = excluded.name, redirect_uris = excluded.redirect_uris, kind = excluded.kind`,
    [id, name, redirectUris, kind, ctx.now()],
  );
}
