import type { TokenBudget } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { readLimitUse } from './credit-limit.js';

/** Reads the budget of the caller's token; undefined for a credential without a credit limit. */
export async function readBudget(ctx: Context): Promise<TokenBudget | undefined> {
  const { creditLimit: limit } = ctx.actor.credential;
  // A daily limit is the cap of an AI lenser, not the budget of a token.
  if (!limit || limit.period === 'day') return undefined;
  const { id, credits, period } = limit;
  const { spent, held } = await readLimitUse(ctx, { id, period });
  return {
    creditLimit: credits,
    creditPeriod: period,
    spent,
    held,
    remaining: Math.max(0, credits - spent - held),
  };
}
