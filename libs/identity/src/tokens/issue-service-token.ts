import type { Connector as ConnectorShape, ConnectorWithToken } from '@lensforge/contracts';
import { type Context, DomainError } from '@lensforge/core';
import type { Connector } from './connector.entity.js';
import { type TokenRequest, issueToken, tokenLifetimes } from './issue-token.js';

/** Issues a service token, in the transaction that created the connector or revoked its last token. */
export async function issueServiceToken(
  ctx: Context,
  { id, accountId, name, scopes }: Pick<Connector, 'id' | 'accountId' | 'name' | 'scopes'>,
  request: Pick<TokenRequest, 'creditLimit' | 'creditPeriod' | 'createdBy'> & { days: number },
): Promise<Required<Pick<ConnectorWithToken, 'value'>> & { token: NonNullable<ConnectorShape['token']> }> {
  const ofPerson = accountId === ctx.actor.accountId ? ctx.actor.userId : null;
  const { token, value } = await issueToken(ctx, {
    kind: 'service',
    accountId,
    userId: ofPerson,
    label: name,
    scopes,
    days: request.days,
    creditLimit: request.creditLimit,
    creditPeriod: request.creditPeriod,
    createdBy: request.createdBy ?? null,
    connectorId: id,
  });
  const { prefix, createdAt, expiresAt } = token;
  if (!expiresAt) throw new DomainError('INTERNAL', 'a service token without an expiry was created');
  return {
    value,
    token: {
      id: token.id,
      prefix,
      createdAt: createdAt.toISOString(),
      expiresAt: expiresAt.toISOString(),
      lastUsedAt: null,
    },
  };
}

/** Checks a lifetime before anything is written. */
export function checkServiceDays(days: number): void {
  const { min, max } = tokenLifetimes.service;
  if (Number.isInteger(days) && days >= min && days <= max) return;
  throw new DomainError('BAD_INPUT', `ttl: a service token must be valid for ${min} to ${max} days`);
}
