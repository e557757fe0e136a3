import type { Context } from '@lensforge/core';
import { DomainError, isServiceRole, nobody } from '@lensforge/core';

/** What is made has an owner; the service role has none unless one was configured. */
export function requireLenser(ctx: Context): void {
  if (!isServiceRole(ctx) || ctx.actor.accountId !== nobody) return;
  throw new DomainError('MISSING_LENSER', 'Nobody would own it: set LENSFORGE_DEFAULT_LENSER_ID to the id of a lenser');
}
