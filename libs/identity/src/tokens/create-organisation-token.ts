import { recordAudit } from '@lensforge/audit';
import type { CreatedToken, Scope } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { DomainError } from '@lensforge/core';
import { inTransaction, requireBelowLimit } from '@lensforge/database';
import type { CreditPeriod } from './api-token.entity.js';
import { creatorOf } from './creator-of.js';
import { MOST_TOKENS, liveTokens } from './live-tokens.js';
import { issueToken } from './issue-token.js';
import { administeredCommunity, refuseDelegates } from '../accounts/roles.js';
import { summaryOf } from './token-summary.js';
import { withinOwnLimit } from './require-token-limit.js';
import { withinOwnScopes } from './within-own-scopes.js';

export interface OrganisationTokenOrder {
  communityId: string;
  label: string;
  scopes: readonly Scope[];
  days: number;
  creditLimit?: number | undefined;
  creditPeriod?: CreditPeriod | undefined;
  /** How many an account may have. */
  most?: number;
}

/** A token that acts for a community, made by its owners and admins or with another token of it. */
export async function createOrganisationToken(ctx: Context, order: OrganisationTokenOrder): Promise<CreatedToken> {
  refuseDelegates(ctx);
  if (ctx.actor.credential.kind === 'service') {
    throw new DomainError('FORBIDDEN', 'A service token makes no organisation tokens: use a session token');
  }
  withinOwnScopes(ctx, order.scopes);
  withinOwnLimit(ctx);
  return inTransaction(ctx, async (ctx) => {
    await administeredCommunity(ctx, order.communityId, 'shared');
    const { most = MOST_TOKENS } = order;
    const accountId = order.communityId.toLowerCase();
    const createdBy = await creatorOf(ctx, accountId);
    await requireBelowLimit(ctx, { what: 'organisation tokens', accountId, most, from: liveTokens('organisation') });
    const { token, value } = await issueToken(ctx, {
      kind: 'organisation',
      accountId,
      userId: null,
      label: order.label.trim(),
      scopes: order.scopes,
      days: order.days,
      creditLimit: order.creditLimit,
      creditPeriod: order.creditPeriod,
      createdBy,
    });
    await recordAudit(ctx, {
      accountId: token.accountId,
      action: 'token.created',
      target: { kind: 'token', id: token.id },
      details: { kind: token.kind, label: token.label, scopes: token.scopes, expiresAt: token.expiresAt },
    });
    return { ...summaryOf(token), value };
  });
}
