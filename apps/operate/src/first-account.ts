import { developerScopes } from '@lensforge/contracts';
import { createOwnedCommunity } from '@lensforge/communities';
import type { Context } from '@lensforge/core';
import { grantCredits } from '@lensforge/credits';
import { inTransaction } from '@lensforge/database';
import { createPerson, createTokenFor, hashToken } from '@lensforge/identity';
import type { FoundAccount } from './require-account.js';
import type { OperatorEnvironment } from './environment.js';

const label = 'init';
const days = 90;

/**
 * Creates what the settings LENSFORGE_INIT_… name and does not exist, in one transaction; safe to repeat and to run
 * concurrently. What exists is never changed: a revoked token stays revoked, a changed password stays changed.
 */
export function ensureFirstAccount(ctx: Context, environment: OperatorEnvironment): Promise<string[]> {
  const { LENSFORGE_INIT_EMAIL: email, LENSFORGE_INIT_HANDLE: handle, LENSFORGE_INIT_PASSWORD: password } = environment;
  if (email === undefined || handle === undefined || password === undefined) return Promise.resolve([]);
  return inTransaction(ctx, async (ctx) => {
    await ctx.db.query(`select pg_advisory_xact_lock(hashtextextended('lensforge first account', 0))`);
    const [known] = await ctx.db.query<(FoundAccount & { byEmail: boolean; disabled: boolean })[]>(
      `select a.id, a.handle, a.kind, u.disabled_at is not null as disabled, lower(u.email) = lower($1) as "byEmail"
         from accounts a left join users u on u.account_id = a.id where lower(u.email) = lower($1) or a.handle = $2
        order by 5 desc nulls last limit 1`,
      [email.trim(), handle],
    );
    // The account of another person must not get a token and credits.
    if (known && (!known.byEmail || known.disabled))
      return [`the handle ${handle} belongs to another or a disabled account: nothing was created`];
    const account = known ?? (await createPerson(ctx, { email, password, handle }));
    return [
      known ? `${account.handle} exists` : `created ${handle} with the account ${account.id}`,
      ...(await ensureCommunity(ctx, account, environment.LENSFORGE_INIT_COMMUNITY)),
      ...(await ensureToken(ctx, account, environment.LENSFORGE_INIT_TOKEN)),
      ...(await ensureCredits(ctx, account, environment.LENSFORGE_INIT_CREDITS)),
    ];
  });
}

async function ensureCommunity(ctx: Context, owner: FoundAccount, handle: string | undefined): Promise<string[]> {
  if (handle === undefined) return [];
  const known = await ctx.db.query<unknown[]>('select from accounts where handle = $1', [handle]);
  if (known.length > 0) return [`the handle ${handle} exists`];
  const { id } = await createOwnedCommunity(ctx, owner.id, { handle, displayName: handle });
  return [`created the community ${handle} with the account ${id}`];
}

async function ensureToken(ctx: Context, account: FoundAccount, value: string | undefined): Promise<string[]> {
  if (value === undefined) return [];
  const [known] = await ctx.db.query<{ live: boolean }[]>(
    `select revoked_at is null and (expires_at is null or expires_at > now()) as live from api_tokens where hash = $1`,
    [hashToken(value)],
  );
  if (known) return [known.live ? 'the token exists' : 'the token was revoked or has expired: create another one'];
  await createTokenFor(ctx, { account, kind: 'developer', label, scopes: developerScopes, days, value });
  return [`created the token, which is valid for ${days} days`];
}

async function ensureCredits(ctx: Context, { id }: FoundAccount, amount: number | undefined): Promise<string[]> {
  if (amount === undefined) return [];
  const granted = await grantCredits(ctx, { accountId: id, amount, note: label, key: label });
  return [granted ? `granted ${amount} credits` : 'the credits were granted before'];
}
