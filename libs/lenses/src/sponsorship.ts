import type { Context } from '@lensforge/core';
import type { EntityManager } from 'typeorm';
import { writableLens } from './access.js';

export interface Sponsorship {
  /** The account whose credits the pool spends. */
  accountId: string;
  enabled: boolean;
  credits: number;
  period: 'month' | 'total';
  /** The sponsored models as provider/key; null for every model within the limits. */
  models: readonly string[] | null;
  maxCreditsPerRun: number;
  /** For each calling account and UTC day. */
  maxCreditsPerCallerPerDay: number;
  updatedAt: string;
}

/** The sponsor pool of a lens; undefined if its current owner never set one up. */
export async function readSponsorPool(db: EntityManager, lensId: string): Promise<Sponsorship | undefined> {
  const [pool] = await db.query<Sponsorship[]>(
    `select s.account_id as "accountId", s.enabled, s.credits::float8 as credits, s.period, s.models,
            s.max_credits_per_run::float8 as "maxCreditsPerRun",
            s.max_credits_per_caller_per_day::float8 as "maxCreditsPerCallerPerDay", iso(s.updated_at) as "updatedAt"
       from lens_sponsorships s join lenses l on l.id = s.lens_id and l.account_id = s.account_id
      where s.lens_id = $1`,
    [lensId],
  );
  return pool;
}

/** The sponsor pool of a lens that the caller may change. */
export async function ownSponsorship(ctx: Context, lensId: string): Promise<Sponsorship | undefined> {
  const lens = await writableLens(ctx, lensId);
  return readSponsorPool(ctx.db, lens.id);
}
