import type { PlatformExecutionAccepted } from '@lensforge/contracts';
import { endpoints } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { isUuid } from '@lensforge/core';
import type { Foresee, InputOf } from '@lensforge/edge';
import { Caller, Foreseen, Input, Platform, Serves } from '@lensforge/edge';
import type { RunnableLens } from '@lensforge/lenses';
import { foreseeLens } from '@lensforge/lenses';
import { acceptLensRun } from '@lensforge/runs';
import { Controller } from '@nestjs/common';
import type { GatewayEnvironment } from './environment.js';
import { LensUses } from './lens-uses.js';
import { Mail } from './mail.js';

const lensOfPath: Foresee = (db, params) => {
  const { lensId } = params as { lensId?: string };
  return lensId !== undefined && isUuid(lensId) ? foreseeLens(db, lensId) : undefined;
};

@Controller()
export class LensesController {
  private readonly timeoutMs: number;

  constructor(
    platform: Platform<GatewayEnvironment>,
    private readonly mail: Mail,
    private readonly uses: LensUses,
  ) {
    this.timeoutMs = platform.environment.LENSFORGE_RUN_TIMEOUT_MS;
  }

  @Serves(endpoints.executeLens, { foresee: lensOfPath })
  async execute(
    @Caller() ctx: Context,
    @Input() { params, body }: InputOf<typeof endpoints.executeLens>,
    @Foreseen() foreseen: () => Promise<RunnableLens | undefined> | undefined,
  ): Promise<PlatformExecutionAccepted> {
    const order = { ...body, lensId: params.lensId, timeoutMs: this.timeoutMs, foreseen: foreseen() };
    const { runId, status, handOver } = await acceptLensRun(ctx, order);
    if (handOver) {
      this.mail.post(handOver);
      this.uses.add(params.lensId);
    }
    return { runId, status, workflowId: null };
  }
}
