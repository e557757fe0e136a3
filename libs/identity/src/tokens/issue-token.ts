import type { Scope } from '@lensforge/contracts';
import { type Context, DomainError, newId } from '@lensforge/core';
import { getErrorCode } from '@lensforge/database';
import { ApiToken, type CreditPeriod } from './api-token.entity.js';
import { type TokenKind, makeToken, detectTokenKind, toNewToken } from './token.js';

/** Lifetimes in days, inclusive. MCP tokens are valid until they are revoked. */
export const tokenLifetimes: Record<Exclude<TokenKind, 'mcp'>, { min: number; max: number }> = {
  developer: { min: 1, max: 90 },
  organisation: { min: 30, max: 365 },
  service: { min: 90, max: 365 },
};

export interface TokenRequest {
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
  /** A value that was generated elsewhere; a new one when omitted. */
  value?: string;
}

export interface IssuedToken {
  token: ApiToken;
  /** Returned once and not stored. */
  value: string;
}

export async function issueToken(ctx: Context, request: TokenRequest): Promise<IssuedToken> {
  const { value, hash, prefix } =
    request.value === undefined ? makeToken(request.kind) : toNewToken(checkedValue(request.kind, request.value));
  const createdAt = ctx.now();
  const token = ctx.db.create(ApiToken, {
    id: newId(),
    kind: request.kind,
    hash,
    prefix,
    accountId: request.accountId,
    userId: request.userId,
    label: request.label,
    scopes: [...request.scopes],
    createdAt,
    expiresAt: expiry(createdAt, request),
    revokedAt: null,
    lastUsedAt: null,
    sealed: request.sealed ?? false,
    clientId: request.clientId ?? null,
    resource: request.resource ?? null,
    connectorId: request.connectorId ?? null,
    creditLimit: request.creditLimit === undefined ? null : String(request.creditLimit),
    creditPeriod: request.creditPeriod ?? 'month',
    createdBy: request.createdBy ?? null,
  });
  try {
    await ctx.db.insert(ApiToken, token);
  } catch (reason) {
    if (getErrorCode(reason) === '23505')
      throw new DomainError('CONFLICT', 'A token with this value exists: generate another');
    throw reason;
  }
  return { token, value };
}

function expiry(now: Date, { kind, days }: TokenRequest): Date | null {
  if (kind === 'mcp') return null;
  const { min, max } = tokenLifetimes[kind];
  if (days === undefined || !Number.isInteger(days) || days < min || days > max) {
    throw new DomainError('BAD_INPUT', `ttl: a ${kind} token must be valid for ${min} to ${max} days`);
  }
  return new Date(now.getTime() + days * 86_400_000);
}

const minDifferentDigits = 8;

function checkedValue(kind: TokenKind, value: string): string {
  const different = new Set(value.slice(-64)).size;
  if (detectTokenKind(value) === kind && different >= minDifferentDigits) return value;
  throw new DomainError(
    'BAD_INPUT',
    `value: a ${kind} token must look like ${makeToken(kind).prefix.slice(0, 7)}… with 64 random hexadecimal digits, as of: openssl rand -hex 32`,
  );
}
