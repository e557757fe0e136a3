import { recordAudit } from '@lensforge/audit';
import type { CommunityRole } from '@lensforge/contracts';
import { type Context, newId } from '@lensforge/core';
import { toJsonb } from '@lensforge/database';
import type { FormerAdministrator } from '../tokens/revoke-tokens-of-creator.js';
import { type DelegationKind, delegationKinds } from './delegations.js';

export interface Suspended {
  kind: string;
  id: string;
  name: string;
}

/**
 * Suspends what a person set up in a community, in the transaction that ends their role, and writes the notice to its other
 * administrators. What was set up before creators were stored may be that of any administrator.
 */
export async function suspendDelegations(
  ctx: Context,
  { communityId, accountId, reason, role }: FormerAdministrator & { role: CommunityRole },
): Promise<void> {
  const wasAdministrator = role === 'owner' || role === 'admin';
  const suspended: Suspended[] = [];
  for (const [kind, of] of Object.entries<DelegationKind>(delegationKinds)) {
    const [rows] = await ctx.db.query<[Omit<Suspended, 'kind'>[], number]>(
      `update ${of.table} set suspended_at = now(), suspended_reason = $3${of.stop}
        where account_id = $1 and (creator_id = $2 or creator_id is null and $4) and suspended_at is null and ${of.acts}
       returning id, ${of.name} as name`,
      [communityId, accountId, reason, wasAdministrator],
    );
    suspended.push(...rows.map((row) => ({ kind, ...row })));
  }
  if (suspended.length === 0) return;
  for (const { kind, id, name } of suspended) {
    await recordAudit(ctx, {
      accountId: communityId.toLowerCase(),
      action: 'delegation.suspended',
      target: { kind, id },
      details: { name, by: reason, createdBy: accountId.toLowerCase() },
    });
  }
  await ctx.db.query('insert into suspension_notices (id, account_id, reason, items) values ($1, $2, $3, $4)', [
    newId(),
    communityId,
    reason,
    toJsonb(suspended),
  ]);
}
