import { type Context, DomainError, badInput, isServiceRole, noAccountId } from '@lensforge/core';

/** Refuses the service role without a configured lenser, since new objects need an owner. */
export function requireLenser(ctx: Context): void {
  if (!isServiceRole(ctx) || ctx.actor.accountId !== noAccountId) return;
  throw new DomainError(
    'MISSING_LENSER',
    'The new object would have no owner: set LENSFORGE_DEFAULT_LENSER_ID to the id of a lenser',
  );
}

/** The context for another lenser, which only the service role may act for. */
export async function asLenser(ctx: Context, lenserId: string | undefined, argument = 'lenser_id'): Promise<Context> {
  if (lenserId === undefined || lenserId.toLowerCase() === ctx.actor.accountId) return ctx;
  if (!isServiceRole(ctx))
    throw new DomainError(
      'FORBIDDEN',
      `${argument}: only the service role can create for another lenser; leave it out`,
    );
  const [known] = await ctx.db.query<unknown[]>(`select from accounts where id = $1 and kind <> 'agent'`, [lenserId]);
  if (!known) throw badInput(argument, `there is no person or community with the id ${lenserId}`);
  return { ...ctx, actor: { ...ctx.actor, accountId: lenserId.toLowerCase() } };
}

/** The lenser that the caller acts as: of the service role, the configured one. */
export function ownLenserId({ actor: { accountId } }: Context): string {
  if (accountId !== noAccountId) return accountId;
  throw new DomainError(
    'MISSING_LENSER',
    'lenser_id is required, because this credential acts for no lenser; for the service role, LENSFORGE_DEFAULT_LENSER_ID sets one',
  );
}
