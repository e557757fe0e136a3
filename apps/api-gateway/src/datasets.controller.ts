import {
  type CaseDifference,
  type Dataset,
  type DatasetCase,
  type DatasetChange,
  type DatasetRemoved,
  type DatasetRevision,
  endpoints,
} from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { readFromReplica, withDbRetry } from '@lensforge/database';
import { Caller, Input, type InputOf, type ListResponse, Serves } from '@lensforge/edge';
import {
  addCasesFromRuns,
  changeCases,
  createDataset,
  diffRevisions,
  exportDataset,
  listCases,
  listDatasets,
  listRevisions,
  readDataset,
  readDatasetFile,
  removeDataset,
  updateDataset,
} from '@lensforge/evaluation';
import { Controller, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Readable } from 'node:stream';
import { pageResponse } from './page-response.js';

@Controller()
export class DatasetsController {
  @Serves(endpoints.listDatasets)
  async list(
    @Caller() ctx: Context,
    @Input() { query }: InputOf<typeof endpoints.listDatasets>,
  ): Promise<ListResponse<Dataset>> {
    return pageResponse(await readFromReplica(ctx, (ctx) => listDatasets(ctx, query)));
  }

  @Serves(endpoints.createDataset)
  create(@Caller() ctx: Context, @Input() { body }: InputOf<typeof endpoints.createDataset>): Promise<Dataset> {
    return createDataset(ctx, body);
  }

  @Serves(endpoints.getDataset)
  read(@Caller() ctx: Context, @Input() { params }: InputOf<typeof endpoints.getDataset>): Promise<Dataset> {
    return withDbRetry(() => readDataset(ctx, params.datasetId));
  }

  @Serves(endpoints.updateDataset)
  update(@Caller() ctx: Context, @Input() { params, body }: InputOf<typeof endpoints.updateDataset>): Promise<Dataset> {
    return updateDataset(ctx, { ...body, ...params });
  }

  @Serves(endpoints.removeDataset)
  remove(
    @Caller() ctx: Context,
    @Input() { params }: InputOf<typeof endpoints.removeDataset>,
  ): Promise<DatasetRemoved> {
    return removeDataset(ctx, params.datasetId);
  }

  @Serves(endpoints.listDatasetCases)
  async cases(
    @Caller() ctx: Context,
    @Input() { params, query }: InputOf<typeof endpoints.listDatasetCases>,
  ): Promise<ListResponse<DatasetCase>> {
    return pageResponse(await readFromReplica(ctx, (ctx) => listCases(ctx, { ...query, ...params }, query)));
  }

  @Serves(endpoints.changeDatasetCases)
  change(
    @Caller() ctx: Context,
    @Input() { params, body }: InputOf<typeof endpoints.changeDatasetCases>,
  ): Promise<DatasetChange> {
    return changeCases(ctx, { ...body, ...params });
  }

  @Serves(endpoints.importDatasetCases)
  import(
    @Caller() ctx: Context,
    @Input() { params, body: { format, content, ...change } }: InputOf<typeof endpoints.importDatasetCases>,
  ): Promise<DatasetChange> {
    return changeCases(ctx, { ...change, ...params, save: readDatasetFile(format, content) });
  }

  @Serves(endpoints.addCasesFromRuns)
  addFromRuns(
    @Caller() ctx: Context,
    @Input() { params, body }: InputOf<typeof endpoints.addCasesFromRuns>,
  ): Promise<DatasetChange> {
    return addCasesFromRuns(ctx, { ...body, ...params });
  }

  @Serves(endpoints.exportDataset)
  async export(
    @Caller() ctx: Context,
    @Input() { params, query }: InputOf<typeof endpoints.exportDataset>,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { mediaType, parts } = await withDbRetry(() => exportDataset(ctx, { ...query, ...params }));
    await reply
      .header('content-type', `${mediaType}; charset=utf-8`)
      .header('content-disposition', `attachment; filename="dataset-${params.datasetId}.${query.format}"`)
      .send(Readable.from(parts));
  }

  @Serves(endpoints.listDatasetRevisions)
  async revisions(
    @Caller() ctx: Context,
    @Input() { params, query }: InputOf<typeof endpoints.listDatasetRevisions>,
  ): Promise<ListResponse<DatasetRevision>> {
    return pageResponse(await readFromReplica(ctx, (ctx) => listRevisions(ctx, params.datasetId, query)));
  }

  @Serves(endpoints.diffDatasetRevisions)
  async diff(
    @Caller() ctx: Context,
    @Input() { params, query }: InputOf<typeof endpoints.diffDatasetRevisions>,
  ): Promise<ListResponse<CaseDifference>> {
    return pageResponse(await readFromReplica(ctx, (ctx) => diffRevisions(ctx, { ...query, ...params }, query)));
  }
}
