import type { TokenSummary } from '@lensforge/contracts';
import {
  type Context,
  type Page,
  type PageRequest,
  cursorOfRow,
  decodeCursor,
  notFound,
  toPage,
} from '@lensforge/core';
import { ownTokens } from './own-tokens.js';
import type { TokenKind } from './token.js';
import { tokenSummary } from './token-summary.js';

export interface TokenFilter extends PageRequest {
  kind?: TokenKind | undefined;
  communityId?: string | undefined;
}

/** Lists tokens of the caller and of the communities that they administer, newest first, without their values. */
export async function listTokens(
  ctx: Context,
  { kind, communityId, ...page }: TokenFilter,
): Promise<Page<TokenSummary>> {
  const { limit, offset = 0, cursor } = page;
  const after = cursor === undefined ? null : decodeCursor(cursor).id;
  const { accounts, kinds } = await ownTokens(ctx);
  const requested = communityId === undefined ? accounts : [communityId.toLowerCase()];
  if (communityId !== undefined && !accounts?.includes(communityId.toLowerCase())) {
    throw notFound('community', communityId);
  }
  const rows = await ctx.db.query<TokenSummary[]>(
    `select t.* from unnest($1::uuid[]) as account (id) cross join lateral (
        select ${tokenSummary} from api_tokens
         where account_id = account.id and ($2::uuid is null or id < $2) and kind = any ($3) and not sealed
         order by api_tokens.id desc limit $4::int + $5::int) t
      order by t.id desc limit $4 offset $5`,
    [requested, after, kind === undefined ? kinds : kinds.filter((one) => one === kind), limit + 1, offset],
  );
  return toPage(rows, page, cursorOfRow);
}
