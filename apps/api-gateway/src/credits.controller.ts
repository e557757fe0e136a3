import type { Credits, Sponsorship } from '@lensforge/contracts';
import { endpoints } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { listCreditEntries, readBalance } from '@lensforge/credits';
import { withDbRetry } from '@lensforge/database';
import type { InputOf } from '@lensforge/edge';
import { Caller, Input, Serves } from '@lensforge/edge';
import { readSponsorship, sponsorLens } from '@lensforge/runs';
import { Controller } from '@nestjs/common';

@Controller()
export class CreditsController {
  @Serves(endpoints.getCredits)
  async read(@Caller() ctx: Context, @Input() { query }: InputOf<typeof endpoints.getCredits>): Promise<Credits> {
    const [balance, { items, nextCursor }] = await withDbRetry(() =>
      Promise.all([readBalance(ctx), listCreditEntries(ctx, query)]),
    );
    return { ...balance, entries: items, nextCursor: nextCursor ?? null };
  }

  @Serves(endpoints.getSponsorship)
  readSponsorship(
    @Caller() ctx: Context,
    @Input() { params }: InputOf<typeof endpoints.getSponsorship>,
  ): Promise<Sponsorship> {
    return withDbRetry(() => readSponsorship(ctx, params.lensId));
  }

  @Serves(endpoints.setSponsorship)
  async setSponsorship(
    @Caller() ctx: Context,
    @Input() { params, body }: InputOf<typeof endpoints.setSponsorship>,
  ): Promise<Sponsorship> {
    await sponsorLens(ctx, params.lensId, body);
    return readSponsorship(ctx, params.lensId);
  }
}
