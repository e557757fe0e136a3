import type { AccountSummary } from '@lensforge/contracts';
import { type Context, DomainError } from '@lensforge/core';

export interface MeChange {
  displayName?: string | undefined;
  description?: string | undefined;
}

/** Changes the caller's public profile. Omitted members stay unchanged. */
export async function updateMe(ctx: Context, { displayName, description }: MeChange): Promise<AccountSummary> {
  if (displayName === undefined && description === undefined) {
    throw new DomainError('BAD_INPUT', 'There is nothing to change: give displayName, description or both');
  }
  const [[account]] = await ctx.db.query<[AccountSummary[], number]>(
    `update accounts set display_name = coalesce($2, display_name), description = coalesce($3, description)
      where id = $1 and kind = 'person' and disabled_at is null
      returning id, kind, handle, display_name as "displayName", description`,
    [ctx.actor.accountId, displayName?.trim() ?? null, description ?? null],
  );
  if (!account)
    throw new DomainError('FORBIDDEN', 'Only a person has a profile, and this credential does not act for a person');
  return account;
}
