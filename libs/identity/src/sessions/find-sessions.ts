import { preparedStatement } from '@lensforge/database';
import type { EntityManager } from 'typeorm';
import { liveSession } from './live-session.js';

/** A session that has not ended or expired, and whose user and account are not disabled. */
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
 * Finds live sessions in the requested order, with one indexed read for many callers. There is no cache, so that tokens of
 * an ended session are refused at once.
 */
export async function findSessions(
  db: EntityManager,
  sessionIds: readonly string[],
): Promise<(LiveSession | undefined)[]> {
  const rows = await db.query<LiveSession[]>(byId, [sessionIds]);
  const found = new Map(rows.map((row) => [row.id, row]));
  return sessionIds.map((id) => found.get(id));
}

/** Records the use of sessions, at most once a minute each. */
export async function touchSessions(db: EntityManager, sessionIds: readonly string[]): Promise<void> {
  await db.query(
    `update sessions set last_used_at = now()
      where id = any($1) and (last_used_at is null or last_used_at < now() - interval '1 minute')`,
    [sessionIds],
  );
}

export interface ExternalUser {
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

/** Finds the users of an external issuer's subjects. Like sessions they are checked at each request. */
export async function findExternalUsers(
  db: EntityManager,
  issuer: string,
  subjects: readonly string[],
): Promise<(ExternalUser | undefined)[]> {
  const rows = await db.query<ExternalUser[]>(bySubject, [issuer, subjects]);
  const found = new Map(rows.map((row) => [row.subject, row]));
  return subjects.map((subject) => found.get(subject));
}
