import { randomBytes } from 'node:crypto';
import { recordAudit } from '@lensforge/audit';
import type { CreatedInvite } from '@lensforge/contracts';
import { type Context, DomainError, badInput, newId } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { administeredCommunity, hashToken } from '@lensforge/identity';
import { Invite } from './invite.entity.js';
import { mayInviteAs } from './role-rules.js';

export interface NewInvite {
  communityId: string;
  role: Invite['role'];
  days: number;
}

const minDays = 1;
const maxDays = 30;

/** Creates an invite for one account. Only the hash of its value is stored. */
export function createInvite(ctx: Context, { communityId, role, days }: NewInvite): Promise<CreatedInvite> {
  if (!Number.isInteger(days) || days < minDays || days > maxDays)
    throw badInput('ttl', `must be from ${minDays} to ${maxDays} days`);
  return inTransaction(ctx, async (ctx) => {
    const acting = await administeredCommunity(ctx, communityId, 'shared');
    if (!mayInviteAs(acting, role))
      throw new DomainError('FORBIDDEN', `Only an owner of the community can invite with the role ${role}`);
    const value = `lf_inv_${randomBytes(32).toString('hex')}`;
    const createdAt = ctx.now();
    const invite = ctx.db.create(Invite, {
      id: newId(),
      communityId: communityId.toLowerCase(),
      tokenHash: hashToken(value),
      role,
      invitedBy: ctx.actor.accountId,
      createdAt,
      expiresAt: new Date(createdAt.getTime() + days * 86_400_000),
      acceptedBy: null,
      acceptedAt: null,
      revokedAt: null,
    });
    await ctx.db.insert(Invite, invite);
    const expiresAt = invite.expiresAt.toISOString();
    await recordAudit(ctx, {
      accountId: invite.communityId,
      action: 'invite.created',
      target: { kind: 'invite', id: invite.id },
      details: { role, expiresAt },
    });
    const { id, invitedBy } = invite;
    return {
      id,
      role,
      invitedBy,
      createdAt: createdAt.toISOString(),
      expiresAt,
      acceptedBy: null,
      acceptedAt: null,
      revokedAt: null,
      value,
    };
  });
}
