import {
  type LensCase,
  type LensCaseRemoved,
  type LensDiff,
  type LensItem,
  type LensLabelMove,
  type LensLabelPlace,
  type LensLabelRemoved,
  type LensVersionItem,
  type LensVersionRecord,
  type WorkflowOfLens,
  endpoints,
} from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { readFromReplica } from '@lensforge/database';
import { Caller, Input, type InputOf, type ListResponse, Serves, sendDocument } from '@lensforge/edge';
import {
  diffLensVersions,
  exportLens,
  getLensVersion,
  listLabelMoves,
  listIncludingLenses,
  listLensCases,
  listLensVersions,
  removeLensCase,
  removeLensLabel,
  returnLensLabel,
  saveLensCase,
  setLensLabel,
} from '@lensforge/lenses';
import { listWorkflowsOfLens } from '@lensforge/workflows';
import { findEvidence } from '@lensforge/evaluation';
import { Controller, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { countedPageResponse, pageResponse, withOffset } from './page-response.js';

@Controller()
export class LensVersionsController {
  @Serves(endpoints.listLensVersions)
  async list(
    @Caller() ctx: Context,
    @Input() { params, query }: InputOf<typeof endpoints.listLensVersions>,
  ): Promise<ListResponse<LensVersionItem>> {
    const { versions: items, ...page } = await readFromReplica(ctx, (ctx) =>
      listLensVersions(ctx, { ...params, ...withOffset(query) }),
    );
    return countedPageResponse({ ...page, items });
  }

  @Serves(endpoints.getLensVersion)
  read(
    @Caller() ctx: Context,
    @Input() { params }: InputOf<typeof endpoints.getLensVersion>,
  ): Promise<LensVersionRecord> {
    return getLensVersion(ctx, params);
  }

  @Serves(endpoints.diffLensVersions)
  compare(
    @Caller() ctx: Context,
    @Input() { params, query }: InputOf<typeof endpoints.diffLensVersions>,
  ): Promise<LensDiff> {
    return diffLensVersions(ctx, { ...params, ...query });
  }

  @Serves(endpoints.exportLens)
  async export(
    @Caller() ctx: Context,
    @Input() { params }: InputOf<typeof endpoints.exportLens>,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { document, versions: items } = await exportLens(ctx, params.lensId);
    await sendDocument(request, reply, { document, member: 'versions', items });
  }

  @Serves(endpoints.setLensLabel)
  label(
    @Caller() ctx: Context,
    @Input() { params, body }: InputOf<typeof endpoints.setLensLabel>,
  ): Promise<LensLabelPlace> {
    return setLensLabel(ctx, { ...params, ...body }, findEvidence);
  }

  @Serves(endpoints.returnLensLabel)
  returnLabel(
    @Caller() ctx: Context,
    @Input() { params, body }: InputOf<typeof endpoints.returnLensLabel>,
  ): Promise<LensLabelPlace> {
    return returnLensLabel(ctx, { ...params, ...body });
  }

  @Serves(endpoints.removeLensLabel)
  unlabel(
    @Caller() ctx: Context,
    @Input() { params }: InputOf<typeof endpoints.removeLensLabel>,
  ): Promise<LensLabelRemoved> {
    return removeLensLabel(ctx, params);
  }

  @Serves(endpoints.listLensLabelMoves)
  async labelMoves(
    @Caller() ctx: Context,
    @Input() { params, query }: InputOf<typeof endpoints.listLensLabelMoves>,
  ): Promise<ListResponse<LensLabelMove>> {
    return pageResponse(await listLabelMoves(ctx, params.lensId, query));
  }

  @Serves(endpoints.listIncludingLenses)
  async including(
    @Caller() ctx: Context,
    @Input() { params, query }: InputOf<typeof endpoints.listIncludingLenses>,
  ): Promise<ListResponse<LensItem>> {
    return pageResponse(await listIncludingLenses(ctx, params.lensId, query));
  }

  @Serves(endpoints.listLensCases)
  async cases(
    @Caller() ctx: Context,
    @Input() { params, query }: InputOf<typeof endpoints.listLensCases>,
  ): Promise<ListResponse<LensCase>> {
    return pageResponse(await listLensCases(ctx, params.lensId, query));
  }

  @Serves(endpoints.saveLensCase)
  saveCase(
    @Caller() ctx: Context,
    @Input() { params, body }: InputOf<typeof endpoints.saveLensCase>,
  ): Promise<LensCase> {
    return saveLensCase(ctx, params.lensId, body);
  }

  @Serves(endpoints.removeLensCase)
  removeCase(
    @Caller() ctx: Context,
    @Input() { params }: InputOf<typeof endpoints.removeLensCase>,
  ): Promise<LensCaseRemoved> {
    return removeLensCase(ctx, params);
  }

  @Serves(endpoints.listLensWorkflows)
  async workflows(
    @Caller() ctx: Context,
    @Input() { params, query }: InputOf<typeof endpoints.listLensWorkflows>,
  ): Promise<ListResponse<WorkflowOfLens>> {
    return pageResponse(await listWorkflowsOfLens(ctx, params.lensId, query));
  }
}
