import type { Scope } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { readUserCode, shownUserCode } from './device-user-code.js';
import { releaseTry, countTry, throttled } from '../accounts/count-try.js';
import { allowances } from '../accounts/throttle.js';

/** What somebody is asked to approve. */
export interface AskedDeviceGrant {
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
 * The open grant with a user code, as the signed-in user typed it. Codes are short, so each user can guess only so
 * often.
 */
export async function findDeviceGrant(ctx: Context, typed: string): Promise<AskedDeviceGrant | undefined> {
  const who = ctx.actor.userId ?? ctx.actor.accountId;
  const made = { kind: 'user_code', subject: who, network: '' } as const;
  const taken = await countTry(ctx, made, [{ allowance: allowances.userCodes, kinds: ['user_code'], subject: who }]);
  if ('wait' in taken) throw throttled(taken.wait, 'Too many wrong codes');
  const grant = await openGrant(ctx, readUserCode(typed));
  if (grant) await releaseTry(ctx, taken.id);
  return grant;
}

async function openGrant(ctx: Context, userCode: string | undefined): Promise<AskedDeviceGrant | undefined> {
  if (userCode === undefined) return undefined;
  const [grant] = await ctx.db.query<AskedDeviceGrant[]>(
    `select g.user_code as "userCode", g.client_id as "clientId", c.name as "clientName", g.label, g.days, g.scopes,
            g.created_at as "createdAt", g.expires_at as "expiresAt"
       from device_grants g join oauth_clients c on c.id = g.client_id
      where g.user_code = $1 and g.status = 'pending' and g.expires_at > $2`,
    [userCode, ctx.now()],
  );
  return grant && { ...grant, userCode: shownUserCode(grant.userCode) };
}
