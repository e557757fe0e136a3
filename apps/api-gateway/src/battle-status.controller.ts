import { executeBattle, setBattleStatus, submitEntry } from '@lensforge/battles';
import { type BattleStatusReply, type ExecutedBattle, type Submitted, endpoints } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { Caller, Input, type InputOf, Platform, Serves } from '@lensforge/edge';
import { Controller } from '@nestjs/common';
import type { GatewayEnvironment } from './environment.js';

@Controller()
export class BattleStatusController {
  private readonly timeoutMs: number;

  constructor(platform: Platform<GatewayEnvironment>) {
    this.timeoutMs = platform.environment.LENSFORGE_RUN_TIMEOUT_MS;
  }

  @Serves(endpoints.submitEntry)
  submit(@Caller() ctx: Context, @Input() { params, body }: InputOf<typeof endpoints.submitEntry>): Promise<Submitted> {
    return submitEntry(ctx, { ...body, ...params });
  }

  @Serves(endpoints.executeBattle)
  execute(
    @Caller() ctx: Context,
    @Input() { params, body }: InputOf<typeof endpoints.executeBattle>,
  ): Promise<ExecutedBattle> {
    return executeBattle(ctx, { ...body, ...params, timeoutMs: this.timeoutMs });
  }

  @Serves(endpoints.setBattleStatus)
  move(
    @Caller() ctx: Context,
    @Input() { params, body }: InputOf<typeof endpoints.setBattleStatus>,
  ): Promise<BattleStatusReply> {
    return setBattleStatus(ctx, { ...body, ...params });
  }
}
