import type { TokenSummary } from '@lensforge/contracts';
import type { ApiToken } from './api-token.entity.js';

/** SQL columns of a token without its hash. */
export const tokenSummary = `id, kind, account_id as "accountId", connector_id as "connectorId", label, scopes, prefix,
  credit_limit::float8 as "creditLimit", credit_period as "creditPeriod",
  iso(created_at) as "createdAt", iso(expires_at) as "expiresAt", iso(last_used_at) as "lastUsedAt",
  iso(revoked_at) as "revokedAt"`;

/** The summary of a token that was just created. */
export const toTokenSummary = (token: ApiToken): TokenSummary => ({
  id: token.id,
  kind: token.kind,
  accountId: token.accountId,
  connectorId: token.connectorId,
  label: token.label,
  scopes: token.scopes,
  prefix: token.prefix,
  creditLimit: token.creditLimit === null ? null : Number(token.creditLimit),
  creditPeriod: token.creditPeriod,
  createdAt: token.createdAt.toISOString(),
  expiresAt: token.expiresAt?.toISOString() ?? null,
  lastUsedAt: null,
  revokedAt: null,
});
