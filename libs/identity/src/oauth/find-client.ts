import type { Context } from '@lensforge/core';
import type { Issuer } from './authorization-code.entity.js';
import { OAuthClient } from './oauth-client.entity.js';

const kinds = { tools: 'tool', platform: 'first_party' } as const;

/** Finds a client by its id; with an issuer, only among the clients of this issuer. */
export async function findClient(
  ctx: Context,
  id: string | undefined,
  issuer?: Issuer,
): Promise<OAuthClient | undefined> {
  if (id === undefined || !/^[\w.-]{1,200}$/.test(id)) return undefined;
  const client = await ctx.db.findOneBy(OAuthClient, { id, ...(issuer && { kind: kinds[issuer] }) });
  return client ?? undefined;
}
