import type { Connector } from '@lensforge/contracts';
import type { Context, Page } from '@lensforge/core';
import { decodeCursor, encodeCursor, notFound } from '@lensforge/core';
import { connectorSummary } from './connector-summary.js';
import { administeredAccounts } from './roles.js';

export interface ConnectorFilter {
  communityId?: string | undefined;
  limit: number;
  cursor?: string | undefined;
}

/** Connectors of the caller and of the communities in their care, the newest first. */
export async function listConnectors(
  ctx: Context,
  { communityId, limit, cursor }: ConnectorFilter,
): Promise<Page<Connector>> {
  const after = cursor === undefined ? null : decodeCursor(cursor).id;
  const accounts = await administeredAccounts(ctx);
  if (communityId !== undefined && !accounts.includes(communityId.toLowerCase())) {
    throw notFound('community', communityId);
  }
  const rows = await ctx.db.query<Connector[]>(
    `with c as (
       select found.* from unnest($1::uuid[]) as account (id) cross join lateral (
         select * from connectors
          where account_id = account.id and ($2::uuid is null or id < $2) and removed_at is null
          order by connectors.id desc limit $3) found
       order by found.id desc limit $3)
     ${connectorSummary} order by c.id desc`,
    [communityId === undefined ? accounts : [communityId], after, limit + 1],
  );
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  const more = rows.length > limit && last;
  return { items, limit, ...(more && { nextCursor: encodeCursor({ at: last.createdAt, id: last.id }) }) };
}
