import {
  createCommunity,
  joinCommunity,
  listCommunities,
  readCommunity,
  removeCommunity,
  updateCommunity,
} from '@lensforge/communities';
import { type Community, type Member, endpoints } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { readFromReplica, withDbRetry } from '@lensforge/database';
import { Caller, Input, type InputOf, type ListResponse, Platform, Serves } from '@lensforge/edge';
import { Controller } from '@nestjs/common';
import type { GatewayEnvironment } from './environment.js';
import { pageResponse } from './page-response.js';

@Controller()
export class CommunitiesController {
  constructor(private readonly platform: Platform<GatewayEnvironment>) {}

  @Serves(endpoints.listCommunities)
  async list(
    @Caller() ctx: Context,
    @Input() { query }: InputOf<typeof endpoints.listCommunities>,
  ): Promise<ListResponse<Community>> {
    return pageResponse(await readFromReplica(ctx, (ctx) => listCommunities(ctx, query)));
  }

  @Serves(endpoints.createCommunity)
  create(@Caller() ctx: Context, @Input() { body }: InputOf<typeof endpoints.createCommunity>): Promise<Community> {
    return createCommunity(ctx, { ...body, limit: this.platform.environment.LENSFORGE_COMMUNITIES_PER_ACCOUNT });
  }

  @Serves(endpoints.getCommunity)
  read(@Caller() ctx: Context, @Input() { params }: InputOf<typeof endpoints.getCommunity>): Promise<Community> {
    return withDbRetry(() => readCommunity(ctx, params.communityId));
  }

  @Serves(endpoints.updateCommunity)
  update(
    @Caller() ctx: Context,
    @Input() { params, body }: InputOf<typeof endpoints.updateCommunity>,
  ): Promise<Community> {
    return updateCommunity(ctx, { ...body, ...params });
  }

  @Serves(endpoints.removeCommunity)
  remove(@Caller() ctx: Context, @Input() { params }: InputOf<typeof endpoints.removeCommunity>): Promise<Community> {
    return removeCommunity(ctx, params);
  }

  @Serves(endpoints.joinCommunity)
  join(@Caller() ctx: Context, @Input() { params, body }: InputOf<typeof endpoints.joinCommunity>): Promise<Member> {
    return joinCommunity(ctx, { ...params, invite: body.invite });
  }
}
