import { approveTeamRun, cancelTeamRun, listTeamRuns, readTeamRun, startTeamRun } from '@lensforge/agents';
import { type TeamRun, endpoints } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { readFromReplica, withDbRetry } from '@lensforge/database';
import { Caller, Input, type InputOf, type ListResponse, Serves } from '@lensforge/edge';
import { Controller } from '@nestjs/common';
import { countedPageResponse, withOffset } from './page-response.js';

@Controller()
export class TeamRunsController {
  @Serves(endpoints.listTeamRuns)
  async list(
    @Caller() ctx: Context,
    @Input() { params, query }: InputOf<typeof endpoints.listTeamRuns>,
  ): Promise<ListResponse<TeamRun>> {
    const page = { ...withOffset(query), agentId: params.aiLenserId };
    return countedPageResponse(await readFromReplica(ctx, (ctx) => listTeamRuns(ctx, page)));
  }

  @Serves(endpoints.startTeamRun)
  start(@Caller() ctx: Context, @Input() { params, body }: InputOf<typeof endpoints.startTeamRun>): Promise<TeamRun> {
    return startTeamRun(ctx, { ...body, agentId: params.aiLenserId });
  }

  @Serves(endpoints.getTeamRun)
  read(@Caller() ctx: Context, @Input() { params }: InputOf<typeof endpoints.getTeamRun>): Promise<TeamRun> {
    return withDbRetry(() => readTeamRun(ctx, { agentId: params.aiLenserId, runId: params.teamRunId }));
  }

  @Serves(endpoints.approveTeamRun)
  approve(@Caller() ctx: Context, @Input() { params }: InputOf<typeof endpoints.approveTeamRun>): Promise<TeamRun> {
    return approveTeamRun(ctx, { agentId: params.aiLenserId, runId: params.teamRunId });
  }

  @Serves(endpoints.cancelTeamRun)
  cancel(@Caller() ctx: Context, @Input() { params }: InputOf<typeof endpoints.cancelTeamRun>): Promise<TeamRun> {
    return cancelTeamRun(ctx, { agentId: params.aiLenserId, runId: params.teamRunId });
  }
}
