import type { CreatedToken, TokenSummary } from '@lensforge/contracts';
import { endpoints, scopesIn } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { rideOut } from '@lensforge/database';
import type { InputOf, Listed } from '@lensforge/edge';
import { Caller, Input, Serves } from '@lensforge/edge';
import { createOrganisationToken, limitToken, listTokens, revokeToken } from '@lensforge/identity';
import { Controller } from '@nestjs/common';
import { listedPage } from './listed-page.js';

@Controller()
export class TokensController {
  @Serves(endpoints.listTokens)
  async list(
    @Caller() ctx: Context,
    @Input() { query }: InputOf<typeof endpoints.listTokens>,
  ): Promise<Listed<TokenSummary>> {
    return listedPage(await rideOut(() => listTokens(ctx, query)));
  }

  @Serves(endpoints.createToken)
  create(@Caller() ctx: Context, @Input() { body }: InputOf<typeof endpoints.createToken>): Promise<CreatedToken> {
    const { scopes, ttl, ...order } = body;
    return createOrganisationToken(ctx, { ...order, scopes: scopesIn(scopes), days: ttl });
  }

  @Serves(endpoints.limitToken)
  limit(
    @Caller() ctx: Context,
    @Input() { params, body }: InputOf<typeof endpoints.limitToken>,
  ): Promise<TokenSummary> {
    return limitToken(ctx, { ...params, ...body });
  }

  @Serves(endpoints.revokeToken)
  revoke(@Caller() ctx: Context, @Input() { params }: InputOf<typeof endpoints.revokeToken>): Promise<TokenSummary> {
    return revokeToken(ctx, params);
  }
}
