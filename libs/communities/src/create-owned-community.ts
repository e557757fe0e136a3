import { recordAudit } from '@lensforge/audit';
import type { Community, JoinPolicy } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { inTransaction, requireBelowLimit } from '@lensforge/database';
import { Membership, createAccount } from '@lensforge/identity';
import { readCommunity } from './read-community.js';

export interface NewCommunity {
  handle: string;
  displayName: string;
  description?: string;
  joinPolicy?: JoinPolicy;
  /** The number of communities that a person may own. */
  limit?: number;
}

export const MAX_COMMUNITIES = 50;

const owned = `memberships m join accounts c on c.id = m.community_id and c.disabled_at is null
  where m.account_id = $1 and m.role = 'owner'`;

/** Creates a community with a person as its only member and owner. */
export const createOwnedCommunity = (ctx: Context, ownerId: string, input: NewCommunity): Promise<Community> =>
  inTransaction(ctx, async (ctx) => {
    const { limit = MAX_COMMUNITIES } = input;
    await requireBelowLimit(ctx, { what: 'communities of its own', accountId: ownerId, max: limit, from: owned });
    const { id, handle } = await createAccount(ctx, {
      kind: 'community',
      handle: input.handle,
      displayName: input.displayName.trim(),
      description: input.description ?? '',
      joinPolicy: input.joinPolicy ?? 'invite',
    });
    await ctx.db.insert(Membership, { communityId: id, accountId: ownerId, role: 'owner', createdAt: ctx.now() });
    const community = await readCommunity(ctx, id);
    await recordAudit(ctx, {
      accountId: id,
      action: 'community.created',
      target: { kind: 'community', id },
      details: { handle },
    });
    return community;
  });
