import type { RunReadToken } from '@lensforge/contracts';
import { endpoints } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { isUuid, newId, platformActor, systemClock } from '@lensforge/core';
import { withDbRetry, withDbRetryFrom } from '@lensforge/database';
import type { Prefetch, InputOf } from '@lensforge/edge';
import { Caller, Prefetched, Input, Platform, Serves } from '@lensforge/edge';
import type { RunWithEvents } from '@lensforge/runs';
import { asReadable, createReadToken, openRunStream, readRunWithEvents } from '@lensforge/runs';
import { Controller, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { GatewayEnvironment } from './environment.js';
import { EventStreams } from './event-stream/event-streams.js';
import { resumePoint } from './event-stream/frame.js';
import { GroupStreams } from './event-stream/group-streams.js';
import { readTokenOf } from './event-stream/read-token.js';

/** Number of events that are read with the run; most streams begin with fewer. */
const firstPageSize = 16;

const beginningAt = (ctx: Context, runId: string, after: number): Promise<RunWithEvents> =>
  readRunWithEvents(ctx, { runId, after, limit: firstPageSize });

const beginningOfPath: Prefetch = (db, { params, headers }) => {
  const { runId } = params as { runId?: string };
  return runId !== undefined && isUuid(runId)
    ? beginningAt(
        { actor: platformActor, db, now: systemClock, requestId: newId() },
        runId,
        resumePoint(headers['last-event-id']),
      )
    : undefined;
};

@Controller()
export class RunEventsController {
  constructor(
    private readonly platform: Platform<GatewayEnvironment>,
    private readonly streams: EventStreams,
    private readonly groups: GroupStreams,
  ) {}

  @Serves(endpoints.streamRunEvents, { credentialOf: readTokenOf, prefetch: beginningOfPath })
  async follow(
    @Caller() ctx: Context,
    @Input() { params }: InputOf<typeof endpoints.streamRunEvents>,
    @Prefetched() prefetched: () => Promise<RunWithEvents> | undefined,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const after = resumePoint(request.headers['last-event-id']);
    const { head, events } = await withDbRetryFrom(prefetched(), () => beginningAt(ctx, params.runId, after));
    this.streams.open({ run: asReadable(ctx, params.runId, head), after, stored: events }, ctx, reply);
  }

  @Serves(endpoints.streamGroupEvents)
  async followGroup(
    @Caller() ctx: Context,
    @Input() { query }: InputOf<typeof endpoints.streamGroupEvents>,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const stream = await withDbRetry(() => openRunStream(ctx, query));
    await this.groups.open(ctx, stream, request.headers['last-event-id'], reply);
  }

  @Serves(endpoints.createRunReadToken)
  readToken(
    @Caller() ctx: Context,
    @Input() { params, body }: InputOf<typeof endpoints.createRunReadToken>,
  ): Promise<RunReadToken> {
    const { LENSFORGE_READ_TOKEN_SECONDS: seconds, LENSFORGE_READ_TOKEN_MOST_SECONDS: maxSeconds } =
      this.platform.environment;
    return createReadToken(ctx, { ...params, ...body, defaultSeconds: Math.min(seconds, maxSeconds), maxSeconds });
  }
}
