import { type Context, isServiceRole } from '@lensforge/core';
import { administeredAccounts } from '../accounts/roles.js';
import { type TokenKind, tokenKinds } from './token.js';

const machineKinds: readonly TokenKind[] = ['organisation', 'service'];

/** The accounts and kinds of the tokens that the caller may see and revoke. Machines do not see personal tokens. */
export async function ownTokens(ctx: Context): Promise<{ accounts: string[] | null; kinds: readonly TokenKind[] }> {
  const { kind } = ctx.actor.credential;
  return {
    accounts: isServiceRole(ctx) ? null : await administeredAccounts(ctx),
    kinds: kind === 'organisation' || kind === 'service' ? machineKinds : tokenKinds,
  };
}
