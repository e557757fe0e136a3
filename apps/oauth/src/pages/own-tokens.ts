import type { Context } from '@lensforge/core';

/** A page shows this many sessions and tokens, the newest. */
export const maxShown = 100;

export interface OwnToken {
  id: string;
  kind: 'mcp' | 'developer' | 'service';
  prefix: string;
  label: string;
  clientName: string | null;
  createdAt: Date;
  lastUsedAt: Date | null;
  expiresAt: Date | null;
}

/** The valid tokens of programs that act for an account, newest first. */
export const listOwnTokens = (ctx: Context, accountId: string): Promise<OwnToken[]> =>
  ctx.db.query<OwnToken[]>(
    `select t.id, t.kind, t.prefix, t.label, c.name as "clientName", t.created_at as "createdAt",
            t.last_used_at as "lastUsedAt", t.expires_at as "expiresAt"
       from api_tokens t left join oauth_clients c on c.id = t.client_id
      where t.account_id = $1 and t.kind in ('mcp', 'developer', 'service') and not t.sealed and t.revoked_at is null
        and (t.expires_at is null or t.expires_at > $2)
      order by t.id desc limit ${maxShown}`,
    [accountId, ctx.now()],
  );
