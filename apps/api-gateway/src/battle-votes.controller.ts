import { castVote, readBattleScore } from '@lensforge/battles';
import { type BattleScore, type Vote, endpoints } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { withDbRetry } from '@lensforge/database';
import { Caller, Input, type InputOf, Serves } from '@lensforge/edge';
import { Controller } from '@nestjs/common';

@Controller()
export class BattleVotesController {
  @Serves(endpoints.castVote)
  vote(@Caller() ctx: Context, @Input() { params, body }: InputOf<typeof endpoints.castVote>): Promise<Vote> {
    return castVote(ctx, { ...body, ...params });
  }

  @Serves(endpoints.getBattleScore)
  score(@Caller() ctx: Context, @Input() { params }: InputOf<typeof endpoints.getBattleScore>): Promise<BattleScore> {
    return withDbRetry(() => readBattleScore(ctx, params.battleId));
  }
}
