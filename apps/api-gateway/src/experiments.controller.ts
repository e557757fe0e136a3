import {
  type Experiment,
  type ExperimentAccepted,
  type ExperimentCell,
  type ExperimentItem,
  type ExperimentRemoved,
  endpoints,
} from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { readFromReplica, withDbRetry } from '@lensforge/database';
import { Caller, Input, type InputOf, type ListResponse, Serves } from '@lensforge/edge';
import {
  cancelExperiment,
  cloneExperiment,
  createExperiment,
  exportExperiment,
  listCells,
  listExperiments,
  readExperiment,
  readExperimentEvents,
  readableExperimentLog,
  removeExperiment,
  resumeExperiment,
} from '@lensforge/evaluation';
import { Controller, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import { resumePoint } from './event-stream/frame.js';
import { LogStreams } from './event-stream/log-streams.js';
import { pageResponse } from './page-response.js';

const fileNames = { ndjson: 'ndjson', csv: 'csv', junit: 'xml', promptfoo: 'json' } as const;

/** Number of events that are read with the experiment; most streams begin with fewer. */
const firstPageSize = 16;

@Controller()
export class ExperimentsController {
  constructor(private readonly streams: LogStreams) {}

  @Serves(endpoints.listExperiments)
  async list(
    @Caller() ctx: Context,
    @Input() { query }: InputOf<typeof endpoints.listExperiments>,
  ): Promise<ListResponse<ExperimentItem>> {
    return pageResponse(await readFromReplica(ctx, (ctx) => listExperiments(ctx, query)));
  }

  @Serves(endpoints.createExperiment)
  create(
    @Caller() ctx: Context,
    @Input() { body }: InputOf<typeof endpoints.createExperiment>,
  ): Promise<ExperimentAccepted> {
    return createExperiment(ctx, body);
  }

  @Serves(endpoints.getExperiment)
  read(@Caller() ctx: Context, @Input() { params }: InputOf<typeof endpoints.getExperiment>): Promise<Experiment> {
    return withDbRetry(() => readExperiment(ctx, params.experimentId));
  }

  @Serves(endpoints.listExperimentCells)
  async cells(
    @Caller() ctx: Context,
    @Input() { params, query }: InputOf<typeof endpoints.listExperimentCells>,
  ): Promise<ListResponse<ExperimentCell>> {
    return pageResponse(await readFromReplica(ctx, (ctx) => listCells(ctx, { ...query, ...params }, query)));
  }

  @Serves(endpoints.exportExperiment)
  async export(
    @Caller() ctx: Context,
    @Input() { params, query }: InputOf<typeof endpoints.exportExperiment>,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { mediaType, parts } = await withDbRetry(() => exportExperiment(ctx, { ...query, ...params }));
    const file = `experiment-${params.experimentId}.${fileNames[query.format]}`;
    await reply
      .header('content-type', `${mediaType}; charset=utf-8`)
      .header('content-disposition', `attachment; filename="${file}"`)
      .send(Readable.from(parts));
  }

  @Serves(endpoints.cancelExperiment)
  cancel(
    @Caller() ctx: Context,
    @Input() { params }: InputOf<typeof endpoints.cancelExperiment>,
  ): Promise<ExperimentItem> {
    return cancelExperiment(ctx, params.experimentId);
  }

  @Serves(endpoints.resumeExperiment)
  resume(
    @Caller() ctx: Context,
    @Input() { params, body }: InputOf<typeof endpoints.resumeExperiment>,
  ): Promise<ExperimentItem> {
    return resumeExperiment(ctx, { ...body, ...params });
  }

  @Serves(endpoints.streamExperimentEvents)
  async follow(
    @Caller() ctx: Context,
    @Input() { params }: InputOf<typeof endpoints.streamExperimentEvents>,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const after = resumePoint(request.headers['last-event-id']);
    const { id, lastSequence, endedAs } = await withDbRetry(() => readableExperimentLog(ctx, params.experimentId));
    const stored = await readFromReplica(ctx, (ctx) => readExperimentEvents(ctx, id, after, firstPageSize));
    const ended = endedAs === null ? undefined : { status: endedAs, at: ctx.now().toISOString() };
    await this.streams.experiments.open({ id, lastSequence, ended, after, stored }, ctx, reply);
  }

  @Serves(endpoints.cloneExperiment)
  clone(
    @Caller() ctx: Context,
    @Input() { params, body }: InputOf<typeof endpoints.cloneExperiment>,
  ): Promise<ExperimentAccepted> {
    return cloneExperiment(ctx, params.experimentId, body);
  }

  @Serves(endpoints.removeExperiment)
  remove(
    @Caller() ctx: Context,
    @Input() { params }: InputOf<typeof endpoints.removeExperiment>,
  ): Promise<ExperimentRemoved> {
    return removeExperiment(ctx, params.experimentId);
  }
}
