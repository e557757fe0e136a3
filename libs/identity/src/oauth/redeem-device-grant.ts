import { recordAudit } from '@lensforge/audit';
import type { Scope } from '@lensforge/contracts';
import { type Context, DomainError } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { DeviceGrant } from './device-grant.entity.js';
import { issueToken } from '../tokens/issue-token.js';
import { oauthError } from './oauth-error.js';
import { hashToken } from '../tokens/token.js';

export interface RedeemedDeviceGrant {
  accessToken: string;
  expiresIn: number;
  scopes: Scope[];
}

const slowDownSeconds = 5;
// Clients may poll slightly early.
const leniencyMs = 500;

/** Answers a polling device: pending or denied, or the developer token, which is issued once. */
export async function redeemDeviceGrant(
  ctx: Context,
  { deviceCode, clientId }: { deviceCode: string; clientId: string },
): Promise<RedeemedDeviceGrant> {
  // A refusal also writes the poll time, so the transaction commits before the error is thrown.
  const outcome = await inTransaction(ctx, (ctx) => tryRedeem(ctx, hashToken(deviceCode), clientId));
  if (outcome instanceof DomainError) throw outcome;
  return outcome;
}

async function tryRedeem(
  ctx: Context,
  deviceHash: Buffer,
  clientId: string,
): Promise<RedeemedDeviceGrant | DomainError> {
  const where = { deviceHash, clientId };
  const grant = await ctx.db.findOne(DeviceGrant, { where, lock: { mode: 'pessimistic_write' } });
  if (!grant || grant.status === 'redeemed') {
    return oauthError('invalid_grant', 'The device code is unknown, used, or was given to another client');
  }
  if (grant.expiresAt <= ctx.now()) return oauthError('expired_token', 'The device code has expired: start again');
  if (grant.status === 'denied') return oauthError('access_denied', 'The user denied the request');
  if (grant.status === 'pending') return answerPending(ctx, grant);
  return issueTo(ctx, grant);
}

async function answerPending(
  ctx: Context,
  { deviceHash, polledAt, intervalSeconds }: DeviceGrant,
): Promise<DomainError> {
  const due = polledAt ? polledAt.getTime() + intervalSeconds * 1000 - leniencyMs : 0;
  const early = ctx.now().getTime() < due;
  const interval = early ? intervalSeconds + slowDownSeconds : intervalSeconds;
  await ctx.db.update(DeviceGrant, { deviceHash }, { polledAt: ctx.now(), intervalSeconds: interval });
  return early
    ? oauthError('slow_down', `Too many requests: wait ${interval} seconds between them`)
    : oauthError('authorization_pending', `The user has not answered yet: ask again in ${interval} seconds`);
}

async function issueTo(ctx: Context, grant: DeviceGrant): Promise<RedeemedDeviceGrant | DomainError> {
  const { deviceHash, userId, label, days, scopes, clientId } = grant;
  const [user] = await ctx.db.query<{ accountId: string }[]>(
    `select a.id as "accountId" from users u join accounts a on a.id = u.account_id
      where u.id = $1 and u.disabled_at is null and a.disabled_at is null`,
    [userId],
  );
  if (!user) return oauthError('access_denied', 'The user who approved the request is disabled');
  const { accountId } = user;
  const { token, value } = await issueToken(ctx, {
    kind: 'developer',
    accountId,
    userId,
    label,
    scopes,
    days,
    clientId,
  });
  await ctx.db.update(DeviceGrant, { deviceHash }, { status: 'redeemed' });
  const actor = { ...ctx.actor, credential: { kind: 'developer', id: token.id }, accountId, userId } as const;
  await recordAudit(
    { ...ctx, actor },
    {
      accountId,
      action: 'token.created',
      target: { kind: 'token', id: token.id },
      details: { kind: 'developer', clientId, label, days, scopes },
    },
  );
  return { accessToken: value, expiresIn: days * 86_400, scopes };
}
