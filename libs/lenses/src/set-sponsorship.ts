import { recordAudit } from '@lensforge/audit';
import type { Context } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { writableLens } from './access.js';
import type { Sponsorship } from './sponsorship.js';

export type SponsorshipOrder = Pick<Sponsorship, 'enabled' | 'credits' | 'period'>;

/** Opens, changes or closes the pool from which the owner of a lens pays for the runs of others. */
export function setSponsorship(ctx: Context, lensId: string, order: SponsorshipOrder): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const lens = await writableLens(ctx, lensId);
    const { enabled, credits, period } = order;
    await ctx.db.query(
      `insert into lens_sponsorships (lens_id, account_id, enabled, credits, period) values ($1, $2, $3, $4, $5)
       on conflict (lens_id) do update set account_id = excluded.account_id, enabled = excluded.enabled,
              credits = excluded.credits, period = excluded.period, updated_at = now()`,
      [lens.id, lens.accountId, enabled, credits, period],
    );
    await recordAudit(ctx, {
      accountId: lens.accountId,
      action: 'sponsorship.set',
      target: { kind: 'lens', id: lens.id },
      details: { enabled, credits, period },
    });
  });
}
