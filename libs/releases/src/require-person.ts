import { type Context, DomainError, isServiceRole } from '@lensforge/core';

/** Refuses credentials of programs. */
export function requirePerson(ctx: Context, label: string): void {
  if (isServiceRole(ctx) || ctx.actor.credential.kind === 'session') return;
  throw new DomainError(
    'FORBIDDEN',
    `The label ${label.slice(0, 80)} is protected: only a person who is signed in can protect, move or remove it, for example in the console`,
  );
}
