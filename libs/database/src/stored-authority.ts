import {
  type Authority,
  type Context,
  DomainError,
  toAuthority,
  exceeds,
  intersectRights,
  readRights,
} from '@lensforge/core';
import { toJsonb } from './to-jsonb.js';

/** The columns of what starts or sends later. */
export interface StoredAuthority {
  authority: Authority;
  /** The account of the person: the caller, or the administrator who created the caller's token. */
  creatorId: string | null;
}

/**
 * The authority of the caller, to be stored in the current transaction. A lock on the account orders it before or after the
 * removal of the creator and the revocation of the tokens with it.
 */
export async function storedAuthority(ctx: Context): Promise<StoredAuthority> {
  await ctx.db.query('select from accounts where id = $1 for share', [ctx.actor.accountId]);
  if (await isRevoked(ctx)) {
    throw new DomainError('UNAUTHENTICATED', 'The token was revoked while the request was under way');
  }
  return { authority: toAuthority(ctx.actor), creatorId: getCreator(ctx) };
}

/** True when the credential of the caller is a token that was revoked. */
export async function isRevoked({ db, actor }: Context): Promise<boolean> {
  const [{ revoked }] = await db.query<[{ revoked: boolean }]>(
    'select current_authority($1::jsonb) is null as revoked',
    [toJsonb(toAuthority(actor))],
  );
  return revoked;
}

/**
 * Tokens of a community act for the administrator who created them, who is unknown for tokens of operators; other credentials act
 * for the person of their account.
 */
function getCreator({ actor: { credential, accountId, userId } }: Context): string | null {
  const { kind, creatorId } = credential;
  if (creatorId !== undefined) return creatorId;
  const ofCommunity = (kind === 'organisation' || kind === 'service') && userId === null;
  return ofCommunity || kind === 'service_role' ? null : accountId;
}

/**
 * Reduces the rights of a locked trigger to those that the caller has too. Call it for a change that decides what the trigger
 * starts, so that a weaker credential cannot use the rights of another one.
 */
export async function narrowAuthority(
  ctx: Context,
  table: 'incoming_webhooks' | 'schedules' | 'evaluation_rules',
  id: string,
): Promise<void> {
  const [row] = await ctx.db.query<{ authority: Authority }[]>(`select authority from ${table} where id = $1`, [id]);
  const stored = readRights(row?.authority ?? null);
  const own = toAuthority(ctx.actor);
  if (!exceeds(stored, own)) return;
  const rights = toJsonb(intersectRights(stored, own));
  await ctx.db.query(`update ${table} set authority = authority || $2::jsonb where id = $1`, [id, rights]);
}

/** SQL for the member `authority` of a trigger, from a row `t` with a stored authority. */
export const authorityMember = (t: string): string => `
  jsonb_build_object(
    'accountId', ${t}.creator_id, 'handle', (select handle from accounts where id = ${t}.creator_id),
    'credentialKind', ${t}.authority ->> 'credentialKind', 'scopes', coalesce(${t}.authority -> 'scopes', '[]'),
    'creditLimit', (coalesce(current_authority(${t}.authority), ${t}.authority) -> 'creditLimit' ->> 'credits')::float8)
    as authority,
  coalesce(${t}.suspended_reason, case when current_authority(${t}.authority) is null then 'credential_revoked' end)
    as "suspendedReason"`;

/** The error for a change that only a take-over may make. */
export const suspendedError = (what: string): DomainError =>
  new DomainError('CONFLICT', `The ${what} is suspended, as its creator lost the right to it: take it over`);
