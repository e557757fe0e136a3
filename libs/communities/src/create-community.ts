import type { Community } from '@lensforge/contracts';
import { type Context, DomainError, noAccountId } from '@lensforge/core';
import { type NewCommunity, createOwnedCommunity } from './create-owned-community.js';

/** Creates a community with the caller as its only member and owner. */
export async function createCommunity(ctx: Context, input: NewCommunity): Promise<Community> {
  if (ctx.actor.credential.kind !== 'session' || ctx.actor.accountId === noAccountId)
    throw new DomainError('FORBIDDEN', 'Only a person can create a community: use a session token');
  return createOwnedCommunity(ctx, ctx.actor.accountId, input);
}
