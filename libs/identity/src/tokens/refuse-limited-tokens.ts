import { type Context, DomainError } from '@lensforge/core';

/** A token with a credit limit must not create tokens, which could spend more. */
export function refuseLimitedTokens(ctx: Context): void {
  if (!ctx.actor.credential.creditLimit) return;
  throw new DomainError('FORBIDDEN', 'A token with a credit limit cannot create tokens: use a session token');
}
