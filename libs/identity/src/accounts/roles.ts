import type { CommunityRole } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { DomainError, isServiceRole, notFound } from '@lensforge/core';

/**
 * What the caller is in a community that is still there. The community's own tokens act for it with the reach of an
 * admin, whoever made them.
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
 * As what the caller administers a community: as a person who has signed in, or with a token of the community itself.
 * Who is no member is told what is told of a community that does not exist. With `hold` it stays so; see there.
 */
export async function administeredCommunity(ctx: Context, communityId: string, hold?: Hold): Promise<Administrator> {
  if (hold) await holdCommunity(ctx, communityId, hold);
  const role = isServiceRole(ctx) ? 'owner' : await roleIn(ctx, communityId);
  if (role === undefined) throw notFound('community', communityId);
  refuseDelegates(ctx);
  if (role === 'owner' || role === 'admin') return role;
  throw new DomainError('FORBIDDEN', `Only owners and admins of the community may do this; you are a ${role}`);
}

/** A developer token has the reach of its person over their own things, not over those of others. */
export function refuseDelegates({ actor: { credential } }: Context): void {
  if (credential.kind !== 'developer' && credential.kind !== 'mcp') return;
  const name = credential.kind === 'mcp' ? 'An MCP' : 'A developer';
  throw new DomainError(
    'FORBIDDEN',
    `${name} token neither makes organisation tokens nor administers communities: use a session token`,
  );
}

/** Connectors are managed over REST; an MCP token is for tools. */
export function refuseMcpTokens({ actor: { credential } }: Context): void {
  if (credential.kind !== 'mcp') return;
  throw new DomainError('FORBIDDEN', 'An MCP token makes no service tokens: use a session or developer token');
}

export type Hold = 'shared' | 'alone';

/**
 * Keeps a community and the roles in it as they are until the transaction ends: the first thing in every transaction
 * that depends on a role (`shared`) or changes one (`alone`).
 */
export async function holdCommunity(ctx: Context, communityId: string, hold: Hold): Promise<void> {
  const held = await ctx.db.query<unknown[]>(
    `select from accounts where id = $1 and kind = 'community' and disabled_at is null
        for ${hold === 'alone' ? 'no key update' : 'share'}`,
    [communityId],
  );
  if (held.length === 0) throw notFound('community', communityId);
}

/** The accounts whose tokens and connectors the caller may see and end: their own, and communities in their care. */
export async function administeredAccounts({ db, actor }: Context): Promise<string[]> {
  if (actor.credential.kind !== 'session') return [actor.accountId];
  const rows = await db.query<{ id: string }[]>(
    `select m.community_id as id from memberships m join accounts c on c.id = m.community_id and c.disabled_at is null
      where m.account_id = $1 and m.role in ('owner', 'admin')`,
    [actor.accountId],
  );
  return [actor.accountId, ...rows.map(({ id }) => id)];
}

/** Whether the caller may act for an account: it is their own, or a community in their care. */
export async function administers(ctx: Context, accountId: string): Promise<boolean> {
  if (isServiceRole(ctx)) return true;
  return (await administeredAccounts(ctx)).includes(accountId.toLowerCase());
}
