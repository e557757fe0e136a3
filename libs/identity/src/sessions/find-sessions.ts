import { preparedStatement } from '@lensforge/database';
import type { EntityManager } from 'typeorm';
import { liveSession } from './live-session.js';

/** A session that goes on: nobody ended it, its time is not over, neither its user nor their account is disabled. */
export interface LiveSession {
  id: string;
  userId: string;
  /** Null until the user has chosen a handle. */
  accountId: string | null;
}

const byId = preparedStatement(`
  select s.id, s.user_id as "userId", u.account_id as "accountId"
    from sessions s
    join users u on u.id = s.user_id
    left join accounts a on a.id = u.account_id
   where s.id = any($1) and ${liveSession} and a.disabled_at is null`);

/**
 * Those of the sessions that go on, in the order asked. One indexed read for many callers, and no cache: a token of a
 * session that has ended is refused at once, however well it is signed.
 */
export async function findSessions(
  db: EntityManager,
  sessionIds: readonly string[],
): Promise<(LiveSession | undefined)[]> {
  const rows = await db.query<LiveSession[]>(byId, [sessionIds]);
  const found = new Map(rows.map((row) => [row.id, row]));
  return sessionIds.map((id) => found.get(id));
}

/** Notes the use of sessions, at most once a minute each. */
export async function touchSessions(db: EntityManager, sessionIds: readonly string[]): Promise<void> {
  await db.query(
    `update sessions set last_used_at = now()
      where id = any($1) and (last_used_at is null or last_used_at < now() - interval '1 minute')`,
    [sessionIds],
  );
}

export interface OutsideUser {
  subject: string;
  userId: string;
  accountId: string | null;
}

const bySubject = preparedStatement(`
  select o.subject, o.user_id as "userId", u.account_id as "accountId"
    from outside_identities o
    join users u on u.id = o.user_id and u.disabled_at is null
    left join accounts a on a.id = u.account_id
   where o.issuer = $1 and o.subject = any($2) and a.disabled_at is null`);

/** Which of our users an outside issuer means by each subject; asked for each request, like a session. */
export async function findOutsideUsers(
  db: EntityManager,
  issuer: string,
  subjects: readonly string[],
): Promise<(OutsideUser | undefined)[]> {
  const rows = await db.query<OutsideUser[]>(bySubject, [issuer, subjects]);
  const found = new Map(rows.map((row) => [row.subject, row]));
  return subjects.map((subject) => found.get(subject));
}
