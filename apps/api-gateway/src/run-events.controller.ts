import type { RunReadToken } from '@lensforge/contracts';
import { endpoints } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { rideOut } from '@lensforge/database';
import type { InputOf } from '@lensforge/edge';
import { Caller, Input, Platform, Serves } from '@lensforge/edge';
import { createReadToken, openRunStream, readEvents, readableRun } from '@lensforge/runs';
import { Controller, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { GatewayEnvironment } from './environment.js';
import { EventStreams } from './event-stream/event-streams.js';
import { resumePoint } from './event-stream/frame.js';
import { GroupStreams } from './event-stream/group-streams.js';
import { readTokenOf } from './event-stream/read-token.js';

/** A run that is followed from its beginning seldom has more. */
const firstPage = 16;

@Controller()
export class RunEventsController {
  constructor(
    private readonly platform: Platform<GatewayEnvironment>,
    private readonly streams: EventStreams,
    private readonly groups: GroupStreams,
  ) {}

  @Serves(endpoints.streamRunEvents, { credentialOf: readTokenOf })
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

  @Serves(endpoints.streamGroupEvents)
  async followGroup(
    @Caller() ctx: Context,
    @Input() { query }: InputOf<typeof endpoints.streamGroupEvents>,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const stream = await rideOut(() => openRunStream(ctx, query));
    await this.groups.open(ctx, stream, request.headers['last-event-id'], reply);
  }

  @Serves(endpoints.createRunReadToken)
  readToken(
    @Caller() ctx: Context,
    @Input() { params, body }: InputOf<typeof endpoints.createRunReadToken>,
  ): Promise<RunReadToken> {
    const { LENSFORGE_READ_TOKEN_SECONDS: usual, LENSFORGE_READ_TOKEN_MOST_SECONDS: mostSeconds } =
      this.platform.environment;
    return createReadToken(ctx, { ...params, ...body, usualSeconds: Math.min(usual, mostSeconds), mostSeconds });
  }
}
