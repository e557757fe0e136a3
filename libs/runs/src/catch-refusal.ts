import { type Context, DomainError } from '@lensforge/core';

/** Calls `hold` in a savepoint; returns its refusal when there are too few credits. */
export async function catchRefusal(ctx: Context, hold: () => Promise<void>): Promise<DomainError | undefined> {
  await ctx.db.query('savepoint hold');
  try {
    await hold();
    return undefined;
  } catch (reason) {
    if (!(reason instanceof DomainError) || reason.code !== 'INSUFFICIENT_CREDITS') throw reason;
    await ctx.db.query('rollback to savepoint hold');
    return reason;
  }
}
