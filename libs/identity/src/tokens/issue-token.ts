import type { Scope } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { DomainError, newId } from '@lensforge/core';
import type { CreditPeriod } from './api-token.entity.js';
import { ApiToken } from './api-token.entity.js';
import type { TokenKind } from './token.js';
import { makeToken } from './token.js';

/** In days, both ends included. MCP tokens live until they are revoked. */
export const tokenLifetimes: Record<Exclude<TokenKind, 'mcp'>, { least: number; most: number }> = {
  developer: { least: 1, most: 90 },
  organisation: { least: 30, most: 365 },
  service: { least: 90, most: 365 },
};

export interface TokenOrder {
  kind: TokenKind;
  accountId: string;
  userId: string | null;
  label: string;
  scopes: readonly Scope[];
  /** Left out for MCP tokens only. */
  days?: number;
  sealed?: boolean;
  clientId?: string;
  resource?: string;
  connectorId?: string;
  creditLimit?: number | undefined;
  creditPeriod?: CreditPeriod | undefined;
  /** Of a token of a community: who answers for it, as `creatorOf` finds it. */
  createdBy?: string | null;
}

export interface IssuedToken {
  token: ApiToken;
  /** The only time that the value is seen. */
  value: string;
}

export async function issueToken(ctx: Context, order: TokenOrder): Promise<IssuedToken> {
  const { value, hash, prefix } = makeToken(order.kind);
  const createdAt = ctx.now();
  const token = ctx.db.create(ApiToken, {
    id: newId(),
    kind: order.kind,
    hash,
    prefix,
    accountId: order.accountId,
    userId: order.userId,
    label: order.label,
    scopes: [...order.scopes],
    createdAt,
    expiresAt: expiry(createdAt, order),
    revokedAt: null,
    lastUsedAt: null,
    sealed: order.sealed ?? false,
    clientId: order.clientId ?? null,
    resource: order.resource ?? null,
    connectorId: order.connectorId ?? null,
    creditLimit: order.creditLimit === undefined ? null : String(order.creditLimit),
    creditPeriod: order.creditPeriod ?? 'month',
    createdBy: order.createdBy ?? null,
  });
  await ctx.db.insert(ApiToken, token);
  return { token, value };
}

function expiry(now: Date, { kind, days }: TokenOrder): Date | null {
  if (kind === 'mcp') return null;
  const { least, most } = tokenLifetimes[kind];
  if (days === undefined || !Number.isInteger(days) || days < least || days > most) {
    throw new DomainError('BAD_INPUT', `ttl: a ${kind} token lives ${least} to ${most} days`);
  }
  return new Date(now.getTime() + days * 86_400_000);
}
