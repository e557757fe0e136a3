import type { PlatformExecutionAccepted } from '@lensforge/contracts';
import { endpoints } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import type { InputOf } from '@lensforge/edge';
import { Caller, Input, Platform, Serves } from '@lensforge/edge';
import { acceptLensRun } from '@lensforge/runs';
import { Controller } from '@nestjs/common';
import type { GatewayEnvironment } from './environment.js';
import { Mail } from './mail.js';

@Controller()
export class LensesController {
  private readonly timeoutMs: number;

  constructor(
    platform: Platform<GatewayEnvironment>,
    private readonly mail: Mail,
  ) {
    this.timeoutMs = platform.environment.LENSFORGE_RUN_TIMEOUT_MS;
  }

  @Serves(endpoints.executeLens)
  async execute(
    @Caller() ctx: Context,
    @Input() { params, body }: InputOf<typeof endpoints.executeLens>,
  ): Promise<PlatformExecutionAccepted> {
    const order = { ...body, lensId: params.lensId, timeoutMs: this.timeoutMs };
    const { runId, status, handOver } = await acceptLensRun(ctx, order);
    if (handOver) this.mail.post(handOver);
    return { runId, status, workflowId: null };
  }
}
