import {
  addContender,
  countBattleHistory,
  countBattles,
  createBattle,
  getNextBattle,
  listBattleHistory,
  listBattles,
  readBattle,
  updateBattle,
  withdrawContender,
} from '@lensforge/battles';
import { type Battle, type BattleSummary, type Contender, endpoints } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { readFromReplica, withDbRetry } from '@lensforge/database';
import { Caller, Input, type InputOf, type ListResponse, Serves } from '@lensforge/edge';
import { Controller } from '@nestjs/common';
import { pageResponse } from './page-response.js';

/** Battles and their contenders. */
@Controller()
export class BattlesController {
  @Serves(endpoints.listBattles)
  async list(
    @Caller() ctx: Context,
    @Input() { query }: InputOf<typeof endpoints.listBattles>,
  ): Promise<ListResponse<BattleSummary>> {
    return readFromReplica(ctx, async (ctx) =>
      pageResponse(await listBattles(ctx, query), await countBattles(ctx, query)),
    );
  }

  @Serves(endpoints.createBattle)
  create(@Caller() ctx: Context, @Input() { body }: InputOf<typeof endpoints.createBattle>): Promise<Battle> {
    return createBattle(ctx, body);
  }

  @Serves(endpoints.listBattleHistory)
  async history(
    @Caller() ctx: Context,
    @Input() { query }: InputOf<typeof endpoints.listBattleHistory>,
  ): Promise<ListResponse<BattleSummary>> {
    return readFromReplica(ctx, async (ctx) =>
      pageResponse(await listBattleHistory(ctx, query), await countBattleHistory(ctx, query)),
    );
  }

  @Serves(endpoints.getNextBattle)
  next(@Caller() ctx: Context): Promise<Battle> {
    return withDbRetry(() => getNextBattle(ctx));
  }

  @Serves(endpoints.getBattle)
  read(@Caller() ctx: Context, @Input() { params }: InputOf<typeof endpoints.getBattle>): Promise<Battle> {
    return withDbRetry(() => readBattle(ctx, params.battleId));
  }

  @Serves(endpoints.updateBattle)
  update(@Caller() ctx: Context, @Input() { params, body }: InputOf<typeof endpoints.updateBattle>): Promise<Battle> {
    return updateBattle(ctx, { ...body, ...params });
  }

  @Serves(endpoints.addContender)
  addContender(
    @Caller() ctx: Context,
    @Input() { params, body }: InputOf<typeof endpoints.addContender>,
  ): Promise<Contender> {
    return addContender(ctx, { ...body, ...params });
  }

  @Serves(endpoints.withdrawContender)
  withdrawContender(
    @Caller() ctx: Context,
    @Input() { params }: InputOf<typeof endpoints.withdrawContender>,
  ): Promise<Contender> {
    return withdrawContender(ctx, params);
  }
}
