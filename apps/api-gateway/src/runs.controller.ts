import type { PlatformRunStatus, RunCanceled } from '@lensforge/contracts';
import { endpoints } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { rideOut } from '@lensforge/database';
import type { InputOf } from '@lensforge/edge';
import { Caller, Input, Serves } from '@lensforge/edge';
import { cancelRun, readEvents, readRun, readableRun } from '@lensforge/runs';
import { Controller, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { EventStreams } from './event-stream/event-streams.js';
import { resumePoint } from './event-stream/frame.js';
import { Mail } from './mail.js';

/** A run that is followed from its beginning seldom has more. */
const firstPage = 16;

@Controller()
export class RunsController {
  constructor(
    private readonly streams: EventStreams,
    private readonly mail: Mail,
  ) {}

  @Serves(endpoints.getRun)
  read(@Caller() ctx: Context, @Input() { params }: InputOf<typeof endpoints.getRun>): Promise<PlatformRunStatus> {
    return rideOut(() => readRun(ctx, params.runId));
  }

  @Serves(endpoints.cancelRun)
  async cancel(@Caller() ctx: Context, @Input() { params }: InputOf<typeof endpoints.cancelRun>): Promise<RunCanceled> {
    const { runId, status, events } = await cancelRun(ctx, params.runId);
    this.mail.tell(events);
    this.mail.askToStop(runId);
    return { runId, status };
  }

  @Serves(endpoints.streamRunEvents)
  async follow(
    @Caller() ctx: Context,
    @Input() { params }: InputOf<typeof endpoints.streamRunEvents>,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const after = resumePoint(request.headers['last-event-id']);
    // Read beside the run rather than behind it, so that the first frames go out with the head of the answer.
    const [run, stored] = await Promise.all([
      rideOut(() => readableRun(ctx, params.runId)),
      rideOut(() => readEvents(ctx.db, params.runId, after, firstPage)),
    ]);
    this.streams.open({ run, after, stored }, ctx, reply);
  }
}
