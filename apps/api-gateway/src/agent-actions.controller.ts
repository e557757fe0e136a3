import { decideAgentApproval, listAgentApprovals, listPendingAgentApprovals, runAgentAction } from '@lensforge/agents';
import { type AgentActionReply, type AgentApproval, type PendingAgentApproval, endpoints } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { readFromReplica } from '@lensforge/database';
import { Caller, Input, type InputOf, type ListResponse, Serves } from '@lensforge/edge';
import { Controller } from '@nestjs/common';
import { countedPageResponse, withOffset } from './page-response.js';

@Controller()
export class AgentActionsController {
  @Serves(endpoints.runAgentAction)
  run(
    @Caller() ctx: Context,
    @Input() { params, body }: InputOf<typeof endpoints.runAgentAction>,
  ): Promise<AgentActionReply> {
    const { actionType: action, ...order } = body;
    return runAgentAction(ctx, { ...order, action, agentId: params.aiLenserId });
  }

  @Serves(endpoints.listAgentApprovals)
  async approvals(
    @Caller() ctx: Context,
    @Input() { params, query }: InputOf<typeof endpoints.listAgentApprovals>,
  ): Promise<ListResponse<AgentApproval>> {
    const page = { ...withOffset(query), agentId: params.aiLenserId };
    return countedPageResponse(await readFromReplica(ctx, (ctx) => listAgentApprovals(ctx, page)));
  }

  @Serves(endpoints.listPendingAgentApprovals)
  async pending(
    @Caller() ctx: Context,
    @Input() { query }: InputOf<typeof endpoints.listPendingAgentApprovals>,
  ): Promise<ListResponse<PendingAgentApproval>> {
    const page = withOffset(query);
    return countedPageResponse(await readFromReplica(ctx, (ctx) => listPendingAgentApprovals(ctx, page)));
  }

  @Serves(endpoints.decideAgentApproval)
  decide(
    @Caller() ctx: Context,
    @Input() { params, body }: InputOf<typeof endpoints.decideAgentApproval>,
  ): Promise<AgentApproval> {
    return decideAgentApproval(ctx, { ...body, agentId: params.aiLenserId, approvalId: params.approvalId });
  }
}
