import { type RunOperationState, endpoints } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { withDbRetry } from '@lensforge/database';
import { Caller, Input, type InputOf, Serves } from '@lensforge/edge';
import { cancelRunOperation, readRunOperation, startRunOperation } from '@lensforge/runs';
import { Controller } from '@nestjs/common';

@Controller()
export class RunOperationsController {
  @Serves(endpoints.startRunOperation)
  start(
    @Caller() ctx: Context,
    @Input() { body }: InputOf<typeof endpoints.startRunOperation>,
  ): Promise<RunOperationState> {
    return startRunOperation(ctx, body);
  }

  @Serves(endpoints.getRunOperation)
  read(
    @Caller() ctx: Context,
    @Input() { params }: InputOf<typeof endpoints.getRunOperation>,
  ): Promise<RunOperationState> {
    return withDbRetry(() => readRunOperation(ctx, params.operationId));
  }

  @Serves(endpoints.cancelRunOperation)
  cancel(
    @Caller() ctx: Context,
    @Input() { params }: InputOf<typeof endpoints.cancelRunOperation>,
  ): Promise<RunOperationState> {
    return withDbRetry(() => cancelRunOperation(ctx, params.operationId));
  }
}
