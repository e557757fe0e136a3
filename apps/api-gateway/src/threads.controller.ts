import { type Thread, endpoints } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { readFromReplica, withDbRetry } from '@lensforge/database';
import { Caller, Input, type InputOf, type ListResponse, Serves } from '@lensforge/edge';
import {
  createThread,
  listThreads,
  readThread,
  readThreadEvents,
  readableThreadLog,
  updateThread,
} from '@lensforge/threads';
import { Controller, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { resumePoint } from './event-stream/frame.js';
import { LogStreams } from './event-stream/log-streams.js';
import { pageResponse } from './page-response.js';

/** Number of events that are read with the thread. */
const firstPageSize = 16;

@Controller()
export class ThreadsController {
  constructor(private readonly streams: LogStreams) {}

  @Serves(endpoints.listThreads)
  async list(
    @Caller() ctx: Context,
    @Input() { query }: InputOf<typeof endpoints.listThreads>,
  ): Promise<ListResponse<Thread>> {
    return pageResponse(await readFromReplica(ctx, (ctx) => listThreads(ctx, query)));
  }

  @Serves(endpoints.createThread)
  create(@Caller() ctx: Context, @Input() { body }: InputOf<typeof endpoints.createThread>): Promise<Thread> {
    return createThread(ctx, body);
  }

  @Serves(endpoints.getThread)
  read(@Caller() ctx: Context, @Input() { params }: InputOf<typeof endpoints.getThread>): Promise<Thread> {
    return withDbRetry(() => readThread(ctx, params.threadId));
  }

  @Serves(endpoints.updateThread)
  update(@Caller() ctx: Context, @Input() { params, body }: InputOf<typeof endpoints.updateThread>): Promise<Thread> {
    return updateThread(ctx, { ...body, ...params });
  }

  @Serves(endpoints.streamThreadEvents)
  async follow(
    @Caller() ctx: Context,
    @Input() { params }: InputOf<typeof endpoints.streamThreadEvents>,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const after = resumePoint(request.headers['last-event-id']);
    const { id, lastSequence, endedAs } = await withDbRetry(() => readableThreadLog(ctx, params.threadId));
    const stored = await readFromReplica(ctx, (ctx) => readThreadEvents(ctx, id, after, firstPageSize));
    const ended = endedAs === null ? undefined : { status: endedAs, at: ctx.now().toISOString() };
    await this.streams.threads.open({ id, lastSequence, ended, after, stored }, ctx, reply);
  }
}
