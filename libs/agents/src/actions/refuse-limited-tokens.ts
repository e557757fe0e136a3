import { type Context, DomainError } from '@lensforge/core';

/** A token with a credit limit must not spend through AI lensers, whose runs do not count against it. */
export function refuseLimitedTokens({ actor }: Context): void {
  if (!actor.credential.creditLimit) return;
  throw new DomainError('FORBIDDEN', 'A token with a credit limit cannot act through AI lensers: use another one');
}
