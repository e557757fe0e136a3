import { recordAudit } from '@lensforge/audit';
import type { CreatedToken, Scope } from '@lensforge/contracts';
import { type Context, DomainError } from '@lensforge/core';
import { inTransaction, requireBelowLimit } from '@lensforge/database';
import type { Account } from '../accounts/account.entity.js';
import { User } from '../accounts/user.entity.js';
import { lockCommunity } from '../accounts/roles.js';
import { issueToken } from './issue-token.js';
import { MAX_TOKENS, liveTokens } from './live-tokens.js';
import { toTokenSummary } from './token-summary.js';
import type { TokenKind } from './token.js';

export interface TokenForAccount {
  account: Pick<Account, 'id' | 'kind' | 'handle'>;
  kind: Exclude<TokenKind, 'service'>;
  label: string;
  scopes: readonly Scope[];
  /** Omitted only for MCP tokens. */
  days?: number;
  /** A value that the operator has generated. */
  value?: string;
}

/** Creates a token of any account for an operator. */
export const createTokenFor = (ctx: Context, request: TokenForAccount): Promise<CreatedToken> =>
  inTransaction(ctx, async (ctx) => {
    const { account, kind, ...rest } = request;
    const accountId = account.id;
    const userId = kind === 'organisation' ? await requireNoCommunity(ctx, account) : await requireUser(ctx, account);
    await requireBelowLimit(ctx, { what: `${kind} tokens`, accountId, max: MAX_TOKENS, from: liveTokens(kind) });
    const { token, value } = await issueToken(ctx, { ...rest, kind, accountId, userId });
    await recordAudit(ctx, {
      accountId,
      action: 'token.created',
      target: { kind: 'token', id: token.id },
      details: { kind, label: token.label, scopes: token.scopes, expiresAt: token.expiresAt },
    });
    return { ...toTokenSummary(token), value };
  });

async function requireNoCommunity(ctx: Context, { id, kind, handle }: TokenForAccount['account']): Promise<null> {
  if (kind !== 'community')
    throw new DomainError('BAD_INPUT', `${handle} is no community: create a developer or mcp token for a person`);
  await lockCommunity(ctx, id, 'shared');
  return null;
}

async function requireUser(ctx: Context, { id, kind, handle }: TokenForAccount['account']): Promise<string> {
  const user = kind === 'person' ? await ctx.db.findOneBy(User, { accountId: id }) : null;
  if (!user || user.disabledAt)
    throw new DomainError('BAD_INPUT', `${handle} is no active person: create an organisation token for a community`);
  return user.id;
}
