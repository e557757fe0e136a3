import { recordAudit } from '@lensforge/audit';
import { defaultSponsorLimits } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { writableLens } from './access.js';
import type { Sponsorship } from './sponsorship.js';

export interface SponsorshipInput extends Pick<Sponsorship, 'enabled' | 'credits' | 'period'> {
  /** Every model within the limits when absent. */
  models?: readonly string[] | null | undefined;
  maxCreditsPerRun?: number | undefined;
  maxCreditsPerCallerPerDay?: number | undefined;
}

/** Sets up, changes or disables the sponsor pool of a lens. */
export function setSponsorship(ctx: Context, lensId: string, order: SponsorshipInput): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const lens = await writableLens(ctx, lensId);
    const { enabled, credits, period, models = null, maxCreditsPerRun = defaultSponsorLimits.perRun } = order;
    const { maxCreditsPerCallerPerDay = defaultSponsorLimits.perCallerPerDay } = order;
    await ctx.db.query(
      `insert into lens_sponsorships (lens_id, account_id, enabled, credits, period, models, max_credits_per_run,
                                      max_credits_per_caller_per_day)
       values ($1, $2, $3, $4, $5, $6, $7, $8)
       on conflict (lens_id) do update set account_id = excluded.account_id, enabled = excluded.enabled,
              credits = excluded.credits, period = excluded.period, models = excluded.models,
              max_credits_per_run = excluded.max_credits_per_run,
              max_credits_per_caller_per_day = excluded.max_credits_per_caller_per_day, updated_at = now()`,
      [lens.id, lens.accountId, enabled, credits, period, models, maxCreditsPerRun, maxCreditsPerCallerPerDay],
    );
    await recordAudit(ctx, {
      accountId: lens.accountId,
      action: 'sponsorship.set',
      target: { kind: 'lens', id: lens.id },
      details: { enabled, credits, period, models, maxCreditsPerRun, maxCreditsPerCallerPerDay },
    });
  });
}
