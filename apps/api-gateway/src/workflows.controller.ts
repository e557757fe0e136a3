import {
  type ExpressionReply,
  type PlatformExecutionAccepted,
  type RunItem,
  type WorkflowDryRunReply,
  endpoints,
} from '@lensforge/contracts';
import { type Context, asBadInput } from '@lensforge/core';
import { readFromReplica } from '@lensforge/database';
import { Caller, Input, type InputOf, type ListResponse, Platform, Serves } from '@lensforge/edge';
import { acceptWorkflowRun, dryRunWorkflow, evaluateExpression, listRuns } from '@lensforge/runs';
import { readableWorkflow } from '@lensforge/workflows';
import { Controller } from '@nestjs/common';
import type { GatewayEnvironment } from './environment.js';
import { pageResponse } from './page-response.js';

@Controller()
export class WorkflowsController {
  private readonly timeoutMs: number;

  constructor(platform: Platform<GatewayEnvironment>) {
    this.timeoutMs = platform.environment.LENSFORGE_RUN_TIMEOUT_MS;
  }

  @Serves(endpoints.runWorkflow)
  async run(
    @Caller() ctx: Context,
    @Input() { params, body }: InputOf<typeof endpoints.runWorkflow>,
  ): Promise<PlatformExecutionAccepted> {
    const request = { ...body, workflowId: params.workflowId, timeoutMs: this.timeoutMs };
    const { runId, status } = await acceptWorkflowRun(ctx, request).catch(refuseAsBadInput);
    return { runId, status, workflowId: params.workflowId };
  }

  @Serves(endpoints.dryRunWorkflow)
  dryRun(
    @Caller() ctx: Context,
    @Input() { params, body }: InputOf<typeof endpoints.dryRunWorkflow>,
  ): Promise<WorkflowDryRunReply> {
    return dryRunWorkflow(ctx, { ...body, workflowId: params.workflowId }).catch(refuseAsBadInput);
  }

  @Serves(endpoints.evaluateExpression)
  evaluate(
    @Caller() ctx: Context,
    @Input() { params, body }: InputOf<typeof endpoints.evaluateExpression>,
  ): Promise<ExpressionReply> {
    return readFromReplica(ctx, (ctx) => evaluateExpression(ctx, { ...body, ...params }));
  }

  @Serves(endpoints.listWorkflowRuns)
  async runs(
    @Caller() ctx: Context,
    @Input() { params, query }: InputOf<typeof endpoints.listWorkflowRuns>,
  ): Promise<ListResponse<RunItem>> {
    const { id: workflowId } = await readableWorkflow(ctx, params.workflowId);
    return pageResponse(await readFromReplica(ctx, (ctx) => listRuns(ctx, { ...query, kind: 'workflow', workflowId })));
  }
}

/** Answers 400 for invalid inputs; incoming webhooks answer 422. */
function refuseAsBadInput(reason: unknown): never {
  throw asBadInput(reason);
}
