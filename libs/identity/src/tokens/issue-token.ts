import type { Scope } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { DomainError, newId } from '@lensforge/core';
import type { CreditPeriod } from './api-token.entity.js';
import { ApiToken } from './api-token.entity.js';
import type { TokenKind } from './token.js';
import { makeToken } from './token.js';

/** Lifetimes in days, inclusive. MCP tokens are valid until they are revoked. */
export const tokenLifetimes: Record<Exclude<TokenKind, 'mcp'>, { min: number; max: number }> = {
  developer: { min: 1, max: 90 },
  organisation: { min: 30, max: 365 },
  service: { min: 90, max: 365 },
};

export interface TokenOrder {
  kind: TokenKind;
  accountId: string;
  userId: string | null;
  label: string;
  scopes: readonly Scope[];
  /** Omitted only for MCP tokens. */
  days?: number;
  sealed?: boolean;
  clientId?: string;
  resource?: string;
  connectorId?: string;
  creditLimit?: number | undefined;
  creditPeriod?: CreditPeriod | undefined;
  /** The creator of a token of a community, as `findCreator` returns it. */
  createdBy?: string | null;
}

export interface IssuedToken {
  token: ApiToken;
  /** Returned once and not stored. */
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
  const { min, max } = tokenLifetimes[kind];
  if (days === undefined || !Number.isInteger(days) || days < min || days > max) {
    throw new DomainError('BAD_INPUT', `ttl: a ${kind} token lives ${min} to ${max} days`);
  }
  return new Date(now.getTime() + days * 86_400_000);
}
