import { readBattleEvents, readableBattleLog } from '@lensforge/battles';
import { endpoints } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { readFromReplica, withDbRetry } from '@lensforge/database';
import { Caller, Input, type InputOf, Serves } from '@lensforge/edge';
import { Controller, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { resumePoint } from './event-stream/frame.js';
import { LogStreams } from './event-stream/log-streams.js';

/** Number of events that are read with the battle; most streams begin with fewer. */
const firstPageSize = 16;

@Controller()
export class BattleEventsController {
  constructor(private readonly streams: LogStreams) {}

  @Serves(endpoints.streamBattleEvents)
  async follow(
    @Caller() ctx: Context,
    @Input() { params }: InputOf<typeof endpoints.streamBattleEvents>,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const after = resumePoint(request.headers['last-event-id']);
    const { id, lastSequence, endedAs } = await withDbRetry(() => readableBattleLog(ctx, params.battleId));
    const stored = await readFromReplica(ctx, (ctx) => readBattleEvents(ctx, id, after, firstPageSize));
    const ended = endedAs === null ? undefined : { status: endedAs, at: ctx.now().toISOString() };
    await this.streams.battles.open({ id, lastSequence, ended, after, stored }, ctx, reply);
  }
}
