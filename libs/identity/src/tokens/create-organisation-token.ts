import { recordAudit } from '@lensforge/audit';
import type { CreatedToken, Scope } from '@lensforge/contracts';
import { type Context, DomainError } from '@lensforge/core';
import { inTransaction, requireBelowLimit } from '@lensforge/database';
import type { CreditPeriod } from './api-token.entity.js';
import { findCreator } from './find-creator.js';
import { MAX_TOKENS, liveTokens } from './live-tokens.js';
import { issueToken } from './issue-token.js';
import { administeredCommunity, refuseDelegates } from '../accounts/roles.js';
import { toTokenSummary } from './token-summary.js';
import { refuseLimitedTokens } from './refuse-limited-tokens.js';
import { requireOwnScopes } from './require-own-scopes.js';

export interface NewOrganisationToken {
  communityId: string;
  label: string;
  scopes: readonly Scope[];
  days: number;
  creditLimit?: number | undefined;
  creditPeriod?: CreditPeriod | undefined;
  /** The number of organisation tokens that an account may have. */
  limit?: number;
}

/** Creates a token that acts for a community. Its owners and admins may, and its organisation tokens. */
export async function createOrganisationToken(ctx: Context, request: NewOrganisationToken): Promise<CreatedToken> {
  refuseDelegates(ctx);
  if (ctx.actor.credential.kind === 'service') {
    throw new DomainError('FORBIDDEN', 'A service token cannot create organisation tokens: use a session token');
  }
  requireOwnScopes(ctx, request.scopes);
  refuseLimitedTokens(ctx);
  return inTransaction(ctx, async (ctx) => {
    await administeredCommunity(ctx, request.communityId, 'shared');
    const { limit = MAX_TOKENS } = request;
    const accountId = request.communityId.toLowerCase();
    const createdBy = await findCreator(ctx, accountId);
    await requireBelowLimit(ctx, {
      what: 'organisation tokens',
      accountId,
      max: limit,
      from: liveTokens('organisation'),
    });
    const { token, value } = await issueToken(ctx, {
      kind: 'organisation',
      accountId,
      userId: null,
      label: request.label.trim(),
      scopes: request.scopes,
      days: request.days,
      creditLimit: request.creditLimit,
      creditPeriod: request.creditPeriod,
      createdBy,
    });
    await recordAudit(ctx, {
      accountId: token.accountId,
      action: 'token.created',
      target: { kind: 'token', id: token.id },
      details: { kind: token.kind, label: token.label, scopes: token.scopes, expiresAt: token.expiresAt },
    });
    return { ...toTokenSummary(token), value };
  });
}
