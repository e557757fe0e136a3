import { type Recording, type RecordingRemoved, endpoints } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { readFromReplica, withDbRetry } from '@lensforge/database';
import { Caller, Input, type InputOf, type ListResponse, Serves } from '@lensforge/edge';
import {
  exportRecording,
  importRecording,
  listRecordings,
  readRecording,
  removeRecording,
} from '@lensforge/evaluation';
import { Controller, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Readable } from 'node:stream';
import { pageResponse } from './page-response.js';

@Controller()
export class RecordingsController {
  @Serves(endpoints.listRecordings)
  async list(
    @Caller() ctx: Context,
    @Input() { query }: InputOf<typeof endpoints.listRecordings>,
  ): Promise<ListResponse<Recording>> {
    return pageResponse(await readFromReplica(ctx, (ctx) => listRecordings(ctx, query)));
  }

  @Serves(endpoints.importRecording)
  import(@Caller() ctx: Context, @Input() { body }: InputOf<typeof endpoints.importRecording>): Promise<Recording> {
    return importRecording(ctx, body);
  }

  @Serves(endpoints.getRecording)
  read(@Caller() ctx: Context, @Input() { params }: InputOf<typeof endpoints.getRecording>): Promise<Recording> {
    return withDbRetry(() => readRecording(ctx, params.recordingId));
  }

  @Serves(endpoints.exportRecording)
  async export(
    @Caller() ctx: Context,
    @Input() { params }: InputOf<typeof endpoints.exportRecording>,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const lines = await withDbRetry(() => exportRecording(ctx, params.recordingId));
    await reply
      .header('content-type', 'application/x-ndjson; charset=utf-8')
      .header('content-disposition', `attachment; filename="recording-${params.recordingId}.ndjson"`)
      .send(Readable.from(lines));
  }

  @Serves(endpoints.removeRecording)
  remove(
    @Caller() ctx: Context,
    @Input() { params }: InputOf<typeof endpoints.removeRecording>,
  ): Promise<RecordingRemoved> {
    return removeRecording(ctx, params.recordingId);
  }
}
