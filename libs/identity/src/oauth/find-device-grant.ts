import type { Scope } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { parseUserCode, formatUserCode } from './device-user-code.js';
import { releaseTry, countTry, throttled } from '../accounts/count-try.js';
import { allowances } from '../accounts/throttle.js';

/** A pending device grant, as shown to the user userId may approve it. */
export interface DeviceGrantRequest {
  /** With its dash. */
  userCode: string;
  clientId: string;
  clientName: string;
  label: string;
  days: number;
  scopes: Scope[];
  createdAt: Date;
  expiresAt: Date;
}

/**
 * Finds the pending grant of a user code, as the signed-in user typed it. Codes are short, so wrong codes are throttled per
 * user.
 */
export async function findDeviceGrant(ctx: Context, typed: string): Promise<DeviceGrantRequest | undefined> {
  const userId = ctx.actor.userId ?? ctx.actor.accountId;
  const made = { kind: 'user_code', subject: userId, network: '' } as const;
  const counted = await countTry(ctx, made, [
    { allowance: allowances.userCodes, kinds: ['user_code'], subject: userId },
  ]);
  if ('wait' in counted) throw throttled(counted.wait, 'Too many wrong codes');
  const grant = await findPendingGrant(ctx, parseUserCode(typed));
  if (grant) await releaseTry(ctx, counted.id);
  return grant;
}

async function findPendingGrant(ctx: Context, userCode: string | undefined): Promise<DeviceGrantRequest | undefined> {
  if (userCode === undefined) return undefined;
  const [grant] = await ctx.db.query<DeviceGrantRequest[]>(
    `select g.user_code as "userCode", g.client_id as "clientId", c.name as "clientName", g.label, g.days, g.scopes,
            g.created_at as "createdAt", g.expires_at as "expiresAt"
       from device_grants g join oauth_clients c on c.id = g.client_id
      where g.user_code = $1 and g.status = 'pending' and g.expires_at > $2`,
    [userCode, ctx.now()],
  );
  return grant && { ...grant, userCode: formatUserCode(grant.userCode) };
}
