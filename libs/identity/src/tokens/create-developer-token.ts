import { type CreatedToken, type Scope, developerScopes } from '@lensforge/contracts';
import { type Context, DomainError, badInput } from '@lensforge/core';
import { recordAudit } from '@lensforge/audit';
import { inTransaction, requireBelowLimit } from '@lensforge/database';
import type { CreditPeriod } from './api-token.entity.js';
import { issueToken } from './issue-token.js';
import { MAX_TOKENS, liveTokens } from './live-tokens.js';
import { toTokenSummary } from './token-summary.js';

export interface NewDeveloperToken {
  label: string;
  scopes: readonly Scope[];
  days: number;
  creditLimit?: number | undefined;
  creditPeriod?: CreditPeriod | undefined;
  /** The number of developer tokens that an account may have. */
  limit?: number;
}

/** Creates a developer token for a signed-in person; no token may create one. */
export async function createDeveloperToken(ctx: Context, request: NewDeveloperToken): Promise<CreatedToken> {
  const { accountId, userId, credential } = ctx.actor;
  if (credential.kind !== 'session' || userId === null) {
    throw new DomainError('FORBIDDEN', 'Only a signed-in person can create a developer token: sign in first');
  }
  const label = request.label.trim();
  if (label === '') throw badInput('label', 'is required');
  if (request.scopes.length === 0) throw badInput('scopes', 'needs at least one scope');
  const foreign = request.scopes.find((scope) => !developerScopes.includes(scope));
  if (foreign !== undefined) throw badInput('scopes', `${foreign} cannot be given to a developer token`);
  return inTransaction(ctx, async (ctx) => {
    const { limit = MAX_TOKENS } = request;
    await requireBelowLimit(ctx, { what: 'developer tokens', accountId, max: limit, from: liveTokens('developer') });
    const { scopes, days, creditLimit, creditPeriod } = request;
    const { token, value } = await issueToken(ctx, {
      kind: 'developer',
      accountId,
      userId,
      label,
      scopes,
      days,
      creditLimit,
      creditPeriod,
    });
    await recordAudit(ctx, {
      accountId,
      action: 'token.created',
      target: { kind: 'token', id: token.id },
      details: { kind: token.kind, label, scopes, expiresAt: token.expiresAt },
    });
    return { ...toTokenSummary(token), value };
  });
}
