import type { Scope } from '@lensforge/contracts';
import { type Context, requireScope } from '@lensforge/core';

/** A caller can grant only scopes that it has. */
export function requireOwnScopes(ctx: Context, scopes: readonly Scope[]): void {
  for (const scope of scopes) requireScope(ctx, scope);
}
