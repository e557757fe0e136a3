import type { Context } from '@lensforge/core';
import { isServiceRole } from '@lensforge/core';
import { administeredAccounts } from '../accounts/roles.js';
import type { TokenKind } from './token.js';
import { tokenKinds } from './token.js';

const ofMachines: readonly TokenKind[] = ['organisation', 'service'];

/** Which tokens the caller may see and end; a machine knows nothing of those that a person carries. */
export async function ownTokens(ctx: Context): Promise<{ accounts: string[] | null; kinds: readonly TokenKind[] }> {
  const { kind } = ctx.actor.credential;
  return {
    accounts: isServiceRole(ctx) ? null : await administeredAccounts(ctx),
    kinds: kind === 'organisation' || kind === 'service' ? ofMachines : tokenKinds,
  };
}
