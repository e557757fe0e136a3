import type { SessionItem } from '@lensforge/contracts';
import { type Context, type Page, type PageRequest, cursorOfRow, decodeCursor, toPage } from '@lensforge/core';
import { liveSession } from './live-session.js';

/** Lists the open sessions of the caller, the newest first. */
export async function listSessions(ctx: Context, page: PageRequest): Promise<Page<SessionItem>> {
  const { limit, offset = 0, cursor } = page;
  const after = cursor === undefined ? null : decodeCursor(cursor).id;
  const { userId, credential } = ctx.actor;
  const rows = await ctx.db.query<SessionItem[]>(
    `select s.id, s.kind, c.name as "clientName", s.address, s.user_agent as "userAgent", s.id::text = $2 as current,
            iso(s.created_at) as "createdAt", iso(s.last_used_at) as "lastUsedAt", iso(s.expires_at) as "expiresAt"
       from sessions s join users u on u.id = s.user_id left join accounts a on a.id = u.account_id
            left join oauth_clients c on c.id = s.client_id
      where s.user_id = $1 and ($3::uuid is null or s.id < $3) and ${liveSession}
      order by s.id desc limit $4 offset $5`,
    [userId, credential.id, after, limit + 1, offset],
  );
  return toPage(rows, page, cursorOfRow);
}
