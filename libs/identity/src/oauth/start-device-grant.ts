import type { Scope } from '@lensforge/contracts';
import { isScope, scopes } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { codeOf } from '@lensforge/database';
import { DeviceGrant } from './device-grant.entity.js';
import { makeUserCode, shownUserCode } from './device-user-code.js';
import { findClient } from './find-client.js';
import { tokenLifetimes } from '../tokens/issue-token.js';
import { oauthError } from './oauth-error.js';
import { plainLine } from '../accounts/plain-line.js';
import { makeSecret } from '../tokens/secrets.js';

/** Scopes of developer tokens: they make no organisation tokens and do not administer communities. */
export const developerScopes: readonly Scope[] = scopes.filter(
  (scope) => scope !== 'community:write' && scope !== 'tokens:write',
);

export interface DeviceGrantOrder {
  clientId: string;
  label?: string | undefined;
  days?: number | undefined;
  /** As RFC 6749 writes it: separated by spaces. */
  scope?: string | undefined;
}

export interface StartedDeviceGrant {
  deviceCode: string;
  /** As it is shown: with a dash. */
  userCode: string;
  expiresIn: number;
  interval: number;
}

const lifetimeSeconds = 900;
const intervalSeconds = 5;
const defaultDays = 30;
const longestLabel = 100;

/** A machine asks to be let in; somebody types the user code elsewhere. */
export async function startDeviceGrant(ctx: Context, order: DeviceGrantOrder): Promise<StartedDeviceGrant> {
  const client = await findClient(ctx, order.clientId, 'platform');
  if (!client) throw oauthError('invalid_client', 'client_id is unknown');
  const granted = {
    clientId: client.id,
    label: labelOf(order, client.name),
    days: daysOf(order),
    scopes: scopesOf(order),
  };
  const { value: deviceCode, hash: deviceHash } = makeSecret('dvc');
  const userCode = await insertWithUserCode(ctx, {
    ...granted,
    deviceHash,
    status: 'pending',
    userId: null,
    intervalSeconds,
    polledAt: null,
    createdAt: ctx.now(),
    expiresAt: new Date(ctx.now().getTime() + lifetimeSeconds * 1000),
  });
  return { deviceCode, userCode: shownUserCode(userCode), expiresIn: lifetimeSeconds, interval: intervalSeconds };
}

function labelOf({ label = '' }: DeviceGrantOrder, otherwise: string): string {
  const plain = plainLine(label);
  if ([...plain].length > longestLabel) {
    throw oauthError('invalid_request', `label must have at most ${longestLabel} characters`);
  }
  return plain === '' ? otherwise : plain;
}

function daysOf({ days = defaultDays }: DeviceGrantOrder): number {
  const { least, most } = tokenLifetimes.developer;
  if (!Number.isInteger(days) || days < least || days > most) {
    throw oauthError('invalid_request', `ttl: a developer token lives ${least} to ${most} days`);
  }
  return days;
}

function scopesOf({ scope = '' }: DeviceGrantOrder): Scope[] {
  const asked = [...new Set(scope.split(' ').filter((each) => each !== ''))];
  if (asked.length === 0) return [...developerScopes];
  const granted = asked.filter(isScope).filter((each) => developerScopes.includes(each));
  if (granted.length < asked.length) {
    throw oauthError('invalid_scope', `scope: a developer token can carry ${developerScopes.join(' ')}`);
  }
  return granted;
}

const tries = 5;

async function insertWithUserCode(ctx: Context, grant: Omit<DeviceGrant, 'userCode'>): Promise<string> {
  for (let left = tries; ; left--) {
    const userCode = makeUserCode();
    try {
      await ctx.db.insert(DeviceGrant, { ...grant, userCode });
      return userCode;
    } catch (reason) {
      if (codeOf(reason) !== '23505' || left === 0) throw reason;
    }
  }
}
