import {
  InvalidInput,
  type LensBatchAccepted,
  type LensBatchItem,
  LensExecuteRequest,
  type PlatformExecutionAccepted,
  endpoints,
  parse,
} from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { Caller, Input, type InputOf, Platform, Serves, restFault } from '@lensforge/edge';
import { type AcceptedRun, acceptLensRun, acceptLensRuns } from '@lensforge/runs';
import { Controller } from '@nestjs/common';
import type { GatewayEnvironment } from './environment.js';
import { LensUses } from './lens-uses.js';

@Controller()
export class LensesController {
  private readonly timeoutMs: number;

  constructor(
    platform: Platform<GatewayEnvironment>,
    private readonly uses: LensUses,
  ) {
    this.timeoutMs = platform.environment.LENSFORGE_RUN_TIMEOUT_MS;
  }

  @Serves(endpoints.executeLens)
  async execute(
    @Caller() ctx: Context,
    @Input() { params, body }: InputOf<typeof endpoints.executeLens>,
  ): Promise<PlatformExecutionAccepted> {
    const accepted = await acceptLensRun(ctx, { ...body, lensId: params.lensId, timeoutMs: this.timeoutMs });
    this.countUse(accepted, params.lensId);
    const { runId, status } = accepted;
    return { runId, status, workflowId: null };
  }

  @Serves(endpoints.executeLensBatch)
  async executeBatch(
    @Caller() ctx: Context,
    @Input() { params, body }: InputOf<typeof endpoints.executeLensBatch>,
  ): Promise<LensBatchAccepted> {
    const { batchId, outcomes } = await acceptLensRuns(ctx, {
      lensId: params.lensId,
      items: body.items.map(readItem),
      timeoutMs: this.timeoutMs,
    });
    for (const outcome of outcomes) if (!(outcome instanceof Error)) this.countUse(outcome, params.lensId);
    return { batchId, items: outcomes.map(asItem) };
  }

  private countUse({ isNew }: AcceptedRun, lensId: string): void {
    if (isNew) this.uses.add(lensId);
  }
}

/** Returns a fault instead of throwing it, so that the other items of the batch are accepted. */
function readItem(item: Record<string, unknown>): LensExecuteRequest | Error {
  try {
    return parse(LensExecuteRequest, item);
  } catch (reason) {
    if (reason instanceof InvalidInput) return reason;
    throw reason;
  }
}

function asItem(outcome: AcceptedRun | Error): LensBatchItem {
  if (!(outcome instanceof Error)) return { runId: outcome.runId, status: outcome.status };
  const { code, message, details } = restFault(outcome);
  return { error: { code, message, ...(details && { details }) } };
}
