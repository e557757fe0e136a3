import type { Connector } from '@lensforge/contracts';
import {
  type Context,
  type Page,
  type PageRequest,
  cursorOfRow,
  decodeCursor,
  notFound,
  toPage,
} from '@lensforge/core';
import { connectorSummary } from './connector-summary.js';
import { administeredAccounts } from '../accounts/roles.js';

export interface ConnectorFilter extends PageRequest {
  communityId?: string | undefined;
}

/** Lists connectors of the caller and of the communities that they administer, newest first. */
export async function listConnectors(
  ctx: Context,
  { communityId, ...page }: ConnectorFilter,
): Promise<Page<Connector>> {
  const { limit, offset = 0, cursor } = page;
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
          order by connectors.id desc limit $3::int + $4::int) found
       order by found.id desc limit $3 offset $4)
     ${connectorSummary} order by c.id desc`,
    [communityId === undefined ? accounts : [communityId], after, limit + 1, offset],
  );
  return toPage(rows, page, cursorOfRow);
}
