import type { TokenSummary } from '@lensforge/contracts';
import type { Context, Page } from '@lensforge/core';
import { decodeCursor, encodeCursor, notFound } from '@lensforge/core';
import { ownTokens } from './own-tokens.js';
import type { TokenKind } from './token.js';
import { tokenSummary } from './token-summary.js';

export interface TokenFilter {
  kind?: TokenKind | undefined;
  communityId?: string | undefined;
  limit: number;
  cursor?: string | undefined;
}

/** Tokens of the caller and of the communities in their care, the newest first; never what opens them. */
export async function listTokens(
  ctx: Context,
  { kind, communityId, limit, cursor }: TokenFilter,
): Promise<Page<TokenSummary>> {
  const after = cursor === undefined ? null : decodeCursor(cursor).id;
  const { accounts, kinds } = await ownTokens(ctx);
  const asked = communityId === undefined ? accounts : [communityId.toLowerCase()];
  if (communityId !== undefined && !accounts?.includes(communityId.toLowerCase())) {
    throw notFound('community', communityId);
  }
  const rows = await ctx.db.query<TokenSummary[]>(
    `select t.* from unnest($1::uuid[]) as account (id) cross join lateral (
        select ${tokenSummary} from api_tokens
         where account_id = account.id and ($2::uuid is null or id < $2) and kind = any ($3) and not sealed
         order by api_tokens.id desc limit $4) t
      order by t.id desc limit $4`,
    [asked, after, kind === undefined ? kinds : kinds.filter((one) => one === kind), limit + 1],
  );
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  const more = rows.length > limit && last;
  return { items, limit, ...(more && { nextCursor: encodeCursor({ at: last.createdAt, id: last.id }) }) };
}
