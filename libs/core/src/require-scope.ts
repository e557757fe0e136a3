import { type Scope, grants } from '@lensforge/contracts';
import type { Context } from './context.js';
import { DomainError } from './domain-error.js';

export function requireScope(ctx: Context, needed: Scope): void {
  if (isServiceRole(ctx) || grants(ctx.actor.scopes, needed)) return;
  throw new DomainError('INSUFFICIENT_SCOPE', `This needs the scope ${needed}, which the credential does not carry`, {
    scope: needed,
  });
}

export const isServiceRole = (ctx: Context): boolean => ctx.actor.credential.kind === 'service_role';
