import { recordAudit } from '@lensforge/audit';
import type { Context } from '@lensforge/core';
import { DomainError } from '@lensforge/core';
import { inTransaction, requireBelowLimit } from '@lensforge/database';
import { readUserCode } from './device-user-code.js';
import { MOST_TOKENS, liveTokens } from '../tokens/live-tokens.js';
import { recordOf } from '../tokens/record-of.js';

export interface DeviceDecision {
  userCode: string;
  userId: string;
  approve: boolean;
  /** How many developer tokens an account may have. */
  most?: number;
}

interface Decided {
  label: string;
  days: number;
  scopes: string[];
  clientId: string;
}

/** Lets a waiting machine in as this user, or turns it away. Either happens once. */
export function decideDeviceGrant(ctx: Context, decision: DeviceDecision): Promise<void> {
  const { userCode, userId, approve, most = MOST_TOKENS } = decision;
  return inTransaction(ctx, async (ctx) => {
    const accountId = await accountOf(ctx, userId);
    if (approve && accountId === null) {
      throw new DomainError('FORBIDDEN', 'Choose a handle first: programs act under it');
    }
    if (approve && accountId !== null) {
      await requireBelowLimit(ctx, { what: 'developer tokens', accountId, most, from: liveTokens('developer') });
    }
    const [[decided]] = await ctx.db.query<[Decided[], number]>(
      `update device_grants set status = $3, user_id = $2
        where user_code = $1 and status = 'pending' and expires_at > $4
       returning label, days, scopes, client_id as "clientId"`,
      [readUserCode(userCode) ?? '', userId, approve ? 'approved' : 'denied', ctx.now()],
    );
    if (!decided)
      throw new DomainError('NOT_FOUND', 'This code has expired or was answered already: ask for a new one');
    await recordAudit(ctx, {
      accountId: recordOf({ id: userId, accountId }),
      action: approve ? 'device.approved' : 'device.denied',
      target: { kind: 'client', id: decided.clientId },
      details: { label: decided.label, days: decided.days, scopes: decided.scopes },
    });
  });
}

async function accountOf(ctx: Context, userId: string): Promise<string | null> {
  const [user] = await ctx.db.query<{ accountId: string | null }[]>(
    `select u.account_id as "accountId" from users u left join accounts a on a.id = u.account_id
      where u.id = $1 and u.disabled_at is null and a.disabled_at is null`,
    [userId],
  );
  if (!user) throw new DomainError('FORBIDDEN', 'This user is disabled');
  return user.accountId;
}
