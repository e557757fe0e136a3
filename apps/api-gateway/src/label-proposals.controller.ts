import { type LabelProposal, endpoints } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { Caller, Input, type InputOf, type ListResponse, Serves } from '@lensforge/edge';
import { decideLabelProposal, listLabelProposals, readLabelProposal } from '@lensforge/evaluation';
import { Controller } from '@nestjs/common';
import { pageResponse } from './page-response.js';

@Controller()
export class LabelProposalsController {
  @Serves(endpoints.listLabelProposals)
  async list(
    @Caller() ctx: Context,
    @Input() { query }: InputOf<typeof endpoints.listLabelProposals>,
  ): Promise<ListResponse<LabelProposal>> {
    return pageResponse(await listLabelProposals(ctx, query));
  }

  @Serves(endpoints.getLabelProposal)
  read(
    @Caller() ctx: Context,
    @Input() { params }: InputOf<typeof endpoints.getLabelProposal>,
  ): Promise<LabelProposal> {
    return readLabelProposal(ctx, params.proposalId);
  }

  @Serves(endpoints.decideLabelProposal)
  decide(
    @Caller() ctx: Context,
    @Input() { params, body }: InputOf<typeof endpoints.decideLabelProposal>,
  ): Promise<LabelProposal> {
    return decideLabelProposal(ctx, { ...params, ...body });
  }
}
