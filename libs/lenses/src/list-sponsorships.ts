import { type Context, type Page, type PageRequest, cursorOfRow, decodeCursor, toPage } from '@lensforge/core';
import type { Sponsorship } from './sponsorship.js';

/** A sponsor pool of the caller, with the lens that it is for. */
export interface OwnSponsorship extends Sponsorship {
  lensId: string;
  lensTitle: string;
  createdAt: string;
}

/** Lists the sponsor pools of the caller's lenses, those of the newest lenses first. */
export async function listSponsorships(ctx: Context, page: PageRequest): Promise<Page<OwnSponsorship>> {
  const { limit, offset = 0, cursor } = page;
  const after = cursor === undefined ? null : decodeCursor(cursor).id;
  const rows = await ctx.db.query<OwnSponsorship[]>(
    `select s.lens_id as "lensId", l.title as "lensTitle", s.account_id as "accountId", s.enabled,
            s.credits::float8 as credits, s.period, s.models, s.max_credits_per_run::float8 as "maxCreditsPerRun",
            s.max_credits_per_caller_per_day::float8 as "maxCreditsPerCallerPerDay", iso(s.created_at) as "createdAt",
            iso(s.updated_at) as "updatedAt"
       from lens_sponsorships s join lenses l on l.id = s.lens_id and l.account_id = s.account_id
      where s.account_id = $1 and ($2::uuid is null or s.lens_id < $2)
      order by s.lens_id desc limit $3 offset $4`,
    [ctx.actor.accountId, after, limit + 1, offset],
  );
  return toPage(rows, page, ({ lensId: id, createdAt }) => cursorOfRow({ id, createdAt }));
}
