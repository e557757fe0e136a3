import { type Scope, developerScopes, isScope } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { getErrorCode } from '@lensforge/database';
import { DeviceGrant } from './device-grant.entity.js';
import { makeUserCode, formatUserCode } from './device-user-code.js';
import { findClient } from './find-client.js';
import { tokenLifetimes } from '../tokens/issue-token.js';
import { oauthError } from './oauth-error.js';
import { toSingleLine } from '../accounts/single-line.js';
import { makeSecret } from '../tokens/secrets.js';

export interface NewDeviceGrant {
  clientId: string;
  label?: string | undefined;
  days?: number | undefined;
  /** As RFC 6749 writes it: separated by spaces. */
  scope?: string | undefined;
}

export interface StartedDeviceGrant {
  deviceCode: string;
  /** With a dash, as shown to the user. */
  userCode: string;
  expiresIn: number;
  interval: number;
}

const lifetimeSeconds = 900;
const intervalSeconds = 5;
const defaultDays = 30;
const maxLabelLength = 100;

/** Starts a device grant. The user enters the user code in a browser. */
export async function startDeviceGrant(ctx: Context, request: NewDeviceGrant): Promise<StartedDeviceGrant> {
  const client = await findClient(ctx, request.clientId, 'platform');
  if (!client) throw oauthError('invalid_client', 'client_id is unknown');
  const granted = {
    clientId: client.id,
    label: toLabel(request, client.name),
    days: parseDays(request),
    scopes: parseScopes(request),
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
  return { deviceCode, userCode: formatUserCode(userCode), expiresIn: lifetimeSeconds, interval: intervalSeconds };
}

function toLabel({ label = '' }: NewDeviceGrant, fallback: string): string {
  const plain = toSingleLine(label);
  if ([...plain].length > maxLabelLength) {
    throw oauthError('invalid_request', `label must have at max ${maxLabelLength} characters`);
  }
  return plain === '' ? fallback : plain;
}

function parseDays({ days = defaultDays }: NewDeviceGrant): number {
  const { min, max } = tokenLifetimes.developer;
  if (!Number.isInteger(days) || days < min || days > max) {
    throw oauthError('invalid_request', `ttl: a developer token must be valid for ${min} to ${max} days`);
  }
  return days;
}

function parseScopes({ scope = '' }: NewDeviceGrant): Scope[] {
  const requested = [...new Set(scope.split(' ').filter((each) => each !== ''))];
  if (requested.length === 0) return [...developerScopes];
  const granted = requested.filter(isScope).filter((each) => developerScopes.includes(each));
  if (granted.length < requested.length) {
    throw oauthError('invalid_scope', `scope: a developer token can carry ${developerScopes.join(' ')}`);
  }
  return granted;
}

const maxRetries = 5;

async function insertWithUserCode(ctx: Context, grant: Omit<DeviceGrant, 'userCode'>): Promise<string> {
  for (let left = maxRetries; ; left--) {
    const userCode = makeUserCode();
    try {
      await ctx.db.insert(DeviceGrant, { ...grant, userCode });
      return userCode;
    } catch (reason) {
      if (getErrorCode(reason) !== '23505' || left === 0) throw reason;
    }
  }
}
