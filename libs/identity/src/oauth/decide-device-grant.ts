import { recordAudit } from '@lensforge/audit';
import { type Context, DomainError } from '@lensforge/core';
import { inTransaction, requireBelowLimit } from '@lensforge/database';
import { parseUserCode } from './device-user-code.js';
import { MAX_TOKENS, liveTokens } from '../tokens/live-tokens.js';
import { getAuditAccount } from '../tokens/acting-user.js';

export interface DeviceDecision {
  userCode: string;
  userId: string;
  approve: boolean;
  /** The number of developer tokens that an account may have. */
  maxTokens?: number;
}

interface Decided {
  label: string;
  days: number;
  scopes: string[];
  clientId: string;
}

/** Approves or denies a pending device grant for a user. A grant can be decided once. */
export function decideDeviceGrant(ctx: Context, decision: DeviceDecision): Promise<void> {
  const { userCode, userId, approve, maxTokens = MAX_TOKENS } = decision;
  return inTransaction(ctx, async (ctx) => {
    const accountId = await readAccount(ctx, userId);
    if (approve && accountId === null) {
      throw new DomainError('FORBIDDEN', 'Choose a handle first: programs act under it');
    }
    if (approve && accountId !== null) {
      await requireBelowLimit(ctx, {
        what: 'developer tokens',
        accountId,
        max: maxTokens,
        from: liveTokens('developer'),
      });
    }
    const [[decided]] = await ctx.db.query<[Decided[], number]>(
      `update device_grants set status = $3, user_id = $2
        where user_code = $1 and status = 'pending' and expires_at > $4
       returning label, days, scopes, client_id as "clientId"`,
      [parseUserCode(userCode) ?? '', userId, approve ? 'approved' : 'denied', ctx.now()],
    );
    if (!decided)
      throw new DomainError('NOT_FOUND', 'This code has expired or was answered already: ask for a new one');
    await recordAudit(ctx, {
      accountId: getAuditAccount({ id: userId, accountId }),
      action: approve ? 'device.approved' : 'device.denied',
      target: { kind: 'client', id: decided.clientId },
      details: { label: decided.label, days: decided.days, scopes: decided.scopes },
    });
  });
}

async function readAccount(ctx: Context, userId: string): Promise<string | null> {
  const [user] = await ctx.db.query<{ accountId: string | null }[]>(
    `select u.account_id as "accountId" from users u left join accounts a on a.id = u.account_id
      where u.id = $1 and u.disabled_at is null and a.disabled_at is null`,
    [userId],
  );
  if (!user) throw new DomainError('FORBIDDEN', 'This user is disabled');
  return user.accountId;
}
