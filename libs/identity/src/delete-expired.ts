import type { EntityManager } from 'typeorm';
import { localdevClientId } from './oauth/ensure-own-clients.js';
import { sessionDays } from './sessions/live-session.js';

const pageSize = 1000;

/** Statements by table; referring rows are deleted before the rows they refer to. */
const sweeps = {
  signUps: `delete from sign_ups where token_hash = any (array(
    select token_hash from sign_ups where expires_at < now() limit $1 for update skip locked))`,
  passwordResets: `delete from password_resets where token_hash = any (array(
    select token_hash from password_resets where expires_at < now() - interval '1 day' limit $1 for update skip locked))`,
  tries: `delete from auth_attempts where id = any (array(
    select id from auth_attempts where at < now() - interval '1 hour' limit $1 for update skip locked))`,
  passkeyChallenges: `delete from used_passkey_challenges where challenge = any (array(
    select challenge from used_passkey_challenges where expires_at < now() limit $1 for update skip locked))`,
  networks: `delete from sign_in_networks where ctid = any (array(
    select ctid from sign_in_networks where last_at < now() - interval '30 days' limit $1 for update skip locked))`,
  // Codes stay for a day after their expiry to detect replays. An unexchanged code takes its sealed token with it.
  codes: `with gone as materialized (
      select hash, token_id from authorization_codes where expires_at < now() - interval '1 day'
       limit $1 for update skip locked),
    sealed as (delete from api_tokens t using gone where t.id = gone.token_id and t.sealed)
    delete from authorization_codes c using gone where c.hash = gone.hash`,
  deviceGrants: `delete from device_grants where device_hash = any (array(
    select device_hash from device_grants where expires_at < now() - interval '1 day' limit $1 for update skip locked))`,
  // Clients that registered and were never approved.
  clients: `delete from oauth_clients where id = any (array(
    select id from oauth_clients where kind = 'tool' and last_used_at is null and created_at < now() - interval '30 days'
     and id <> '${localdevClientId}' limit $1 for update skip locked))`,
  signingKeys: `delete from signing_keys where retires_at < now() - interval '1 day' and $1 > 0`,
  // Notices that no mail server has accepted.
  suspensionNotices: `delete from suspension_notices where id = any (array(
    select id from suspension_notices where created_at < now() - interval '30 days' limit $1 for update skip locked))`,
  // Used or not, these tokens would be refused.
  refreshTokens: `delete from refresh_tokens where hash = any (array(
    select hash from refresh_tokens where created_at < now() - interval '${sessionDays.idle + 1} days'
     limit $1 for update skip locked))`,
  sessions: `delete from sessions where id = any (array(
    select id from sessions s where expires_at < now() - interval '1 day'
       and not exists (select from refresh_tokens r where r.session_id = s.id)
       and not exists (select from authorization_codes c where c.session_id = s.id) limit $1 for update skip locked))`,
} as const;

export type DeletedCounts = Record<keyof typeof sweeps, number>;

/** Deletes a page of expired rows of each table and returns the counts. Concurrent calls are safe. */
export async function deleteExpired(db: EntityManager): Promise<DeletedCounts> {
  const deleted: Partial<DeletedCounts> = {};
  for (const [name, sql] of Object.entries(sweeps) as [keyof DeletedCounts, string][]) {
    const [, count] = await db.query<[unknown, number]>(sql, [pageSize]);
    deleted[name] = count;
  }
  return deleted as DeletedCounts;
}
