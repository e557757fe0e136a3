import type { CommunityRole } from '@lensforge/contracts';
import { type Context, DomainError, isServiceRole, notFound } from '@lensforge/core';

/**
 * Returns the caller's role in an active community. The community's own tokens have the role of an admin.
 */
export async function roleIn(ctx: Context, communityId: string): Promise<CommunityRole | undefined> {
  const [found] = await ctx.db.query<{ role: CommunityRole | null }[]>(
    `select case when c.id = $2 then 'admin' else m.role end as role
       from accounts c left join memberships m on m.community_id = c.id and m.account_id = $2
      where c.id = $1 and c.kind = 'community' and c.disabled_at is null`,
    [communityId, ctx.actor.accountId],
  );
  return found?.role ?? undefined;
}

export type Administrator = Extract<CommunityRole, 'owner' | 'admin'>;

/**
 * Requires that the caller administers a community, as a signed-in person or with a token of the community. For callers that
 * are no members the community does not exist. `lock` keeps the role until the transaction ends.
 */
export async function administeredCommunity(
  ctx: Context,
  communityId: string,
  lock?: CommunityLock,
): Promise<Administrator> {
  if (lock) await lockCommunity(ctx, communityId, lock);
  const role = isServiceRole(ctx) ? 'owner' : await roleIn(ctx, communityId);
  if (role === undefined) throw notFound('community', communityId);
  refuseDelegates(ctx);
  if (role === 'owner' || role === 'admin') return role;
  throw new DomainError('FORBIDDEN', `Only owners and admins of the community may do this; you are a ${role}`);
}

/** Refuses developer and MCP tokens, which act for one person and not for communities. */
export function refuseDelegates({ actor: { credential } }: Context): void {
  if (credential.kind !== 'developer' && credential.kind !== 'mcp') return;
  const name = credential.kind === 'mcp' ? 'An MCP' : 'A developer';
  throw new DomainError(
    'FORBIDDEN',
    `${name} token cannot create organisation tokens or administer communities: use a session token`,
  );
}

/** Refuses MCP tokens; connectors are managed over REST. */
export function refuseMcpTokens({ actor: { credential } }: Context): void {
  if (credential.kind !== 'mcp') return;
  throw new DomainError('FORBIDDEN', 'An MCP token cannot create service tokens: use a session or developer token');
}

export type CommunityLock = 'shared' | 'exclusive';

/**
 * Locks a community and the roles in it until the transaction ends. Every transaction that depends on a role (`shared`) or
 * changes one (`exclusive`) does this first.
 */
export async function lockCommunity(ctx: Context, communityId: string, lock: CommunityLock): Promise<void> {
  const locked = await ctx.db.query<unknown[]>(
    `select from accounts where id = $1 and kind = 'community' and disabled_at is null
        for ${lock === 'exclusive' ? 'no key update' : 'share'}`,
    [communityId],
  );
  if (locked.length === 0) throw notFound('community', communityId);
}

/** The accounts whose tokens and connectors the caller may see and revoke: their own and the communities they administer. */
export async function administeredAccounts({ db, actor }: Context): Promise<string[]> {
  if (actor.credential.kind !== 'session') return [actor.accountId];
  const rows = await db.query<{ id: string }[]>(
    `select m.community_id as id from memberships m join accounts c on c.id = m.community_id and c.disabled_at is null
      where m.account_id = $1 and m.role in ('owner', 'admin')`,
    [actor.accountId],
  );
  return [actor.accountId, ...rows.map(({ id }) => id)];
}

/** True when the account is the caller's own or a community that they administer. */
export async function administers(ctx: Context, accountId: string): Promise<boolean> {
  if (isServiceRole(ctx)) return true;
  return (await administeredAccounts(ctx)).includes(accountId.toLowerCase());
}
