import { type RunReadToken, endpoints, isTerminal } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { readFromReplica, withDbRetry } from '@lensforge/database';
import { Caller, HttpFault, Input, type InputOf, Platform, Serves } from '@lensforge/edge';
import { asReadable, createReadToken, openRunStream, readRunWithEvents } from '@lensforge/runs';
import { Controller, HttpCode, Options, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { GatewayEnvironment } from './environment.js';
import { resumePoint } from './event-stream/frame.js';
import { GroupStreams } from './event-stream/group-streams.js';
import { LogStreams } from './event-stream/log-streams.js';
import { authenticateReadToken } from './event-stream/read-token.js';

/** Number of events that are read with the run; most streams begin with fewer. */
const firstPageSize = 16;

@Controller()
export class RunEventsController {
  constructor(
    private readonly platform: Platform<GatewayEnvironment>,
    private readonly streams: LogStreams,
    private readonly groups: GroupStreams,
  ) {}

  @Serves(endpoints.streamRunEvents, { credentialOf: authenticateReadToken })
  async follow(
    @Caller() ctx: Context,
    @Input() { params, query }: InputOf<typeof endpoints.streamRunEvents>,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    if (query.token !== undefined && !this.platform.environment.LENSFORGE_READ_TOKENS_IN_QUERY)
      throw new HttpFault(
        401,
        'unauthorized',
        'Send the read token as Authorization: Bearer <token>, not in the address',
      );
    const after = resumePoint(request.headers['last-event-id']);
    const { head, events } = await readFromReplica(ctx, (ctx) =>
      readRunWithEvents(ctx, { runId: params.runId, after, limit: firstPageSize }),
    );
    const { id, lastSequence, status, completedAt } = asReadable(ctx, params.runId, head);
    const ended = isTerminal(status) ? { status, at: completedAt ?? ctx.now().toISOString() } : undefined;
    await this.streams.runs.open({ id, lastSequence, ended, after, stored: events }, ctx, reply);
  }

  /** Lets web pages of other origins send a read token as a header. */
  @Options(endpoints.streamRunEvents.path.replace('{runId}', ':runId'))
  @HttpCode(204)
  preflight(@Res({ passthrough: true }) reply: FastifyReply): void {
    reply.headers({
      'access-control-allow-origin': '*',
      'access-control-allow-headers': 'authorization, last-event-id',
      'access-control-max-age': '7200',
    });
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
    const {
      LENSFORGE_READ_TOKEN_SECONDS: seconds,
      LENSFORGE_READ_TOKEN_MOST_SECONDS: maxSeconds,
      LENSFORGE_READ_TOKENS_IN_QUERY: inQuery,
    } = this.platform.environment;
    const limits = { defaultSeconds: Math.min(seconds, maxSeconds), maxSeconds };
    return createReadToken(ctx, { ...params, ...body, ...limits, inQuery });
  }
}
