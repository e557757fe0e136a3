import type { Context } from '@lensforge/core';
import type { Issuer } from './authorization-code.entity.js';
import { OAuthClient } from './oauth-client.entity.js';

const kinds = { tools: 'tool', platform: 'first_party' } as const;

/** A client by its id; with an issuer, only when it is one of those that this issuer knows. */
export async function findClient(
  ctx: Context,
  id: string | undefined,
  issuer?: Issuer,
): Promise<OAuthClient | undefined> {
  if (id === undefined || !/^[\w.-]{1,200}$/.test(id)) return undefined;
  const client = await ctx.db.findOneBy(OAuthClient, { id, ...(issuer && { kind: kinds[issuer] }) });
  return client ?? undefined;
}
