import type { Scope } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { requireScope } from '@lensforge/core';

/** Nobody hands out what they do not hold. */
export function withinOwnScopes(ctx: Context, scopes: readonly Scope[]): void {
  for (const scope of scopes) requireScope(ctx, scope);
}
