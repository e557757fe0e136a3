import { readAgentEvents, readableAgentLog } from '@lensforge/agents';
import { endpoints } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { readFromReplica, withDbRetry } from '@lensforge/database';
import { Caller, Input, type InputOf, Serves } from '@lensforge/edge';
import { Controller, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { resumePoint } from './event-stream/frame.js';
import { LogStreams } from './event-stream/log-streams.js';

/** Number of events that are read with the log; most streams begin with fewer. */
const firstPageSize = 16;

@Controller()
export class AgentEventsController {
  constructor(private readonly streams: LogStreams) {}

  @Serves(endpoints.streamAgentEvents)
  async follow(
    @Caller() ctx: Context,
    @Input() { params }: InputOf<typeof endpoints.streamAgentEvents>,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const after = resumePoint(request.headers['last-event-id']);
    const { id, lastSequence, isArchived } = await withDbRetry(() => readableAgentLog(ctx, params.aiLenserId));
    const stored = await readFromReplica(ctx, (ctx) => readAgentEvents(ctx, id, after, firstPageSize));
    const ended = isArchived ? { status: 'archived', at: ctx.now().toISOString() } : undefined;
    await this.streams.agents.open({ id, lastSequence, ended, after, stored }, ctx, reply);
  }
}
