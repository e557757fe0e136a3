import {
  type CreditForecast,
  type Credits,
  type SponsoredLens,
  type Sponsorship,
  endpoints,
} from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { forecastCredits, listCreditEntries, readBalance } from '@lensforge/credits';
import { withDbRetry } from '@lensforge/database';
import { Caller, Input, type InputOf, type ListResponse, Serves } from '@lensforge/edge';
import { listOwnSponsorships, readSponsorship, sponsorLens } from '@lensforge/runs';
import { Controller } from '@nestjs/common';
import { pageResponse } from './page-response.js';

@Controller()
export class CreditsController {
  @Serves(endpoints.getCredits)
  async read(@Caller() ctx: Context, @Input() { query }: InputOf<typeof endpoints.getCredits>): Promise<Credits> {
    const [balance, { items, nextCursor }] = await withDbRetry(() =>
      Promise.all([readBalance(ctx), listCreditEntries(ctx, query)]),
    );
    return { ...balance, entries: items, nextCursor: nextCursor ?? null };
  }

  @Serves(endpoints.forecastCredits)
  forecast(@Caller() ctx: Context): Promise<CreditForecast> {
    return withDbRetry(() => forecastCredits(ctx));
  }

  @Serves(endpoints.listSponsorships)
  async listSponsorships(
    @Caller() ctx: Context,
    @Input() { query }: InputOf<typeof endpoints.listSponsorships>,
  ): Promise<ListResponse<SponsoredLens>> {
    return pageResponse(await withDbRetry(() => listOwnSponsorships(ctx, query)));
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
