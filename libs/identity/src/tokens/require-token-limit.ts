import type { Context } from '@lensforge/core';
import { DomainError } from '@lensforge/core';

/** What may spend only so much cannot make what may spend more. */
export function withinOwnLimit(ctx: Context): void {
  if (!ctx.actor.credential.creditLimit) return;
  throw new DomainError('FORBIDDEN', 'A token with a credit limit makes no other tokens: use a session token');
}
