import type { Context } from '@lensforge/core';
import { liveSession } from '@lensforge/identity';

export interface OpenSession {
  id: string;
  kind: 'browser' | 'client';
  clientName: string | null;
  address: string | null;
  userAgent: string | null;
  createdAt: Date;
  lastUsedAt: Date | null;
}

const maxShown = 100;

/** The open sessions of a user, newest first. */
export const openSessionsOf = (ctx: Context, userId: string): Promise<OpenSession[]> =>
  ctx.db.query<OpenSession[]>(
    `select s.id, s.kind, c.name as "clientName", s.address, s.user_agent as "userAgent", s.created_at as "createdAt",
            s.last_used_at as "lastUsedAt"
       from sessions s join users u on u.id = s.user_id left join accounts a on a.id = u.account_id left join oauth_clients c on c.id = s.client_id
      where s.user_id = $1 and ${liveSession}
      order by s.id desc limit ${maxShown}`,
    [userId],
  );

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
export const ownTokensOf = (ctx: Context, accountId: string): Promise<OwnToken[]> =>
  ctx.db.query<OwnToken[]>(
    `select t.id, t.kind, t.prefix, t.label, c.name as "clientName", t.created_at as "createdAt",
            t.last_used_at as "lastUsedAt", t.expires_at as "expiresAt"
       from api_tokens t left join oauth_clients c on c.id = t.client_id
      where t.account_id = $1 and t.kind in ('mcp', 'developer', 'service') and not t.sealed and t.revoked_at is null
        and (t.expires_at is null or t.expires_at > $2)
      order by t.id desc limit ${maxShown}`,
    [accountId, ctx.now()],
  );
