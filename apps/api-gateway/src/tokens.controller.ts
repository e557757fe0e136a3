import { type CreatedToken, type RevokedTokens, type TokenSummary, endpoints, scopesIn } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { readFromReplica } from '@lensforge/database';
import { Caller, Input, type InputOf, type ListResponse, Platform, Serves } from '@lensforge/edge';
import {
  createDeveloperToken,
  createOrganisationToken,
  limitToken,
  listTokens,
  revokeToken,
  revokeTokens,
} from '@lensforge/identity';
import { Controller } from '@nestjs/common';
import type { GatewayEnvironment } from './environment.js';
import { pageResponse } from './page-response.js';

@Controller()
export class TokensController {
  constructor(private readonly platform: Platform<GatewayEnvironment>) {}

  @Serves(endpoints.listTokens)
  async list(
    @Caller() ctx: Context,
    @Input() { query }: InputOf<typeof endpoints.listTokens>,
  ): Promise<ListResponse<TokenSummary>> {
    return pageResponse(await readFromReplica(ctx, (ctx) => listTokens(ctx, query)));
  }

  @Serves(endpoints.createToken)
  create(@Caller() ctx: Context, @Input() { body }: InputOf<typeof endpoints.createToken>): Promise<CreatedToken> {
    const { scopes, ttl, ...input } = body;
    return createOrganisationToken(ctx, {
      ...input,
      scopes: scopesIn(scopes),
      days: ttl,
      limit: this.platform.environment.LENSFORGE_TOKENS_PER_ACCOUNT,
    });
  }

  @Serves(endpoints.createDeveloperToken)
  createForPerson(
    @Caller() ctx: Context,
    @Input() { body }: InputOf<typeof endpoints.createDeveloperToken>,
  ): Promise<CreatedToken> {
    const { scopes, ttl, ...input } = body;
    return createDeveloperToken(ctx, {
      ...input,
      scopes: scopesIn(scopes),
      days: ttl,
      limit: this.platform.environment.LENSFORGE_TOKENS_PER_ACCOUNT,
    });
  }

  @Serves(endpoints.limitToken)
  limit(
    @Caller() ctx: Context,
    @Input() { params, body }: InputOf<typeof endpoints.limitToken>,
  ): Promise<TokenSummary> {
    return limitToken(ctx, { ...params, ...body });
  }

  @Serves(endpoints.revokeTokens)
  revokeAll(
    @Caller() ctx: Context,
    @Input() { query: { kind, communityId } }: InputOf<typeof endpoints.revokeTokens>,
  ): Promise<RevokedTokens> {
    return revokeTokens(ctx, { communityId, kinds: [kind] });
  }

  @Serves(endpoints.revokeToken)
  revoke(@Caller() ctx: Context, @Input() { params }: InputOf<typeof endpoints.revokeToken>): Promise<TokenSummary> {
    return revokeToken(ctx, params);
  }
}
