import { getLeaderboardFit, listLeaderboard, voteLog } from '@lensforge/battles';
import { type LeaderboardEntry, type LeaderboardFit, endpoints } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { readFromReplica, withDbRetry } from '@lensforge/database';
import { Caller, Input, type InputOf, type ListResponse, Serves, sendLines } from '@lensforge/edge';
import { Controller, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { countedPageResponse, withOffset } from './page-response.js';

@Controller()
export class LeaderboardsController {
  @Serves(endpoints.listLeaderboard)
  async list(
    @Caller() ctx: Context,
    @Input() { params, query }: InputOf<typeof endpoints.listLeaderboard>,
  ): Promise<ListResponse<LeaderboardEntry>> {
    const request = withOffset({ ...params, ...query });
    return countedPageResponse(await readFromReplica(ctx, (ctx) => listLeaderboard(ctx, request)));
  }

  @Serves(endpoints.getLeaderboardFit)
  fit(
    @Caller() ctx: Context,
    @Input() { params, query }: InputOf<typeof endpoints.getLeaderboardFit>,
  ): Promise<LeaderboardFit> {
    return withDbRetry(() => getLeaderboardFit(ctx, { ...params, ...query }));
  }

  @Serves(endpoints.downloadVotes)
  async votes(
    @Caller() ctx: Context,
    @Input() { params, query }: InputOf<typeof endpoints.downloadVotes>,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await sendLines(reply, voteLog(ctx, { ...params, ...query }));
  }
}
