import { assignTool, listTools, revokeTool } from '@lensforge/agents';
import { type AgentTool, type AgentToolRevocation, endpoints } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { readFromReplica } from '@lensforge/database';
import { Caller, Input, type InputOf, type ListResponse, Serves } from '@lensforge/edge';
import { Controller } from '@nestjs/common';
import { countedPageResponse, withOffset } from './page-response.js';

@Controller()
export class AgentToolsController {
  @Serves(endpoints.listAgentTools)
  async list(
    @Caller() ctx: Context,
    @Input() { params, query }: InputOf<typeof endpoints.listAgentTools>,
  ): Promise<ListResponse<AgentTool>> {
    const page = { ...withOffset(query), agentId: params.aiLenserId };
    return countedPageResponse(await readFromReplica(ctx, (ctx) => listTools(ctx, page)));
  }

  @Serves(endpoints.assignAgentTool)
  assign(
    @Caller() ctx: Context,
    @Input() { params, body }: InputOf<typeof endpoints.assignAgentTool>,
  ): Promise<AgentTool> {
    return assignTool(ctx, { ...body, agentId: params.aiLenserId });
  }

  @Serves(endpoints.revokeAgentTool)
  revoke(
    @Caller() ctx: Context,
    @Input() { params }: InputOf<typeof endpoints.revokeAgentTool>,
  ): Promise<AgentToolRevocation> {
    return revokeTool(ctx, { agentId: params.aiLenserId, toolId: params.toolId });
  }
}
