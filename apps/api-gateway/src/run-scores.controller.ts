import {
  type FeedbackKey,
  type FeedbackReceived,
  type RunScore,
  type ScoreStatistics,
  endpoints,
  parse,
} from '@lensforge/contracts';
import { type Context, platformActor } from '@lensforge/core';
import { readFromReplica } from '@lensforge/database';
import {
  Caller,
  Input,
  type InputOf,
  type ListResponse,
  Platform,
  RateLimits,
  Serves,
  createRequestContext,
  enforceRateLimit,
  jsonOfRawBody,
  networkSubject,
  refuseQuery,
} from '@lensforge/edge';
import {
  createFeedbackKey,
  giveFeedback,
  listRunScores,
  readScoreStatistics,
  setRunScore,
} from '@lensforge/evaluation';
import { Controller, HttpCode, Options, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { countedPageResponse, withOffset } from './page-response.js';

@Controller()
export class RunScoresController {
  constructor(
    private readonly platform: Platform,
    private readonly limits: RateLimits,
  ) {}

  @Serves(endpoints.listRunScores)
  async list(
    @Caller() ctx: Context,
    @Input() { params, query }: InputOf<typeof endpoints.listRunScores>,
  ): Promise<ListResponse<RunScore>> {
    return countedPageResponse(
      await readFromReplica(ctx, (ctx) => listRunScores(ctx, { ...params, ...withOffset(query) })),
    );
  }

  @Serves(endpoints.getScoreStatistics)
  statistics(
    @Caller() ctx: Context,
    @Input() { query }: InputOf<typeof endpoints.getScoreStatistics>,
  ): Promise<ScoreStatistics> {
    return readFromReplica(ctx, (ctx) => readScoreStatistics(ctx, query));
  }

  @Serves(endpoints.setRunScore)
  set(@Caller() ctx: Context, @Input() { params, body }: InputOf<typeof endpoints.setRunScore>): Promise<RunScore> {
    return setRunScore(ctx, { ...params, ...body });
  }

  @Serves(endpoints.createFeedbackKey)
  createKey(
    @Caller() ctx: Context,
    @Input() { params }: InputOf<typeof endpoints.createFeedbackKey>,
  ): Promise<FeedbackKey> {
    return createFeedbackKey(ctx, params.runId);
  }

  @Serves(endpoints.giveFeedback)
  async give(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<FeedbackReceived> {
    reply.header('access-control-allow-origin', '*');
    enforceRateLimit(reply, await this.limits.take('incoming', `feedback of ${networkSubject(request)}`));
    refuseQuery(request);
    const { runId } = parse(endpoints.giveFeedback.params, request.params);
    const feedback = parse(endpoints.giveFeedback.body, jsonOfRawBody(request));
    const { database, now } = this.platform;
    const ctx = createRequestContext({ db: database.manager, now }, request, platformActor);
    await giveFeedback(ctx, { ...feedback, runId });
    return { received: true };
  }

  /** Lets web pages of other origins send feedback. */
  @Options(endpoints.giveFeedback.path.replace('{runId}', ':runId'))
  @HttpCode(204)
  preflight(@Res({ passthrough: true }) reply: FastifyReply): void {
    reply.headers({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': 'content-type',
      'access-control-max-age': '7200',
    });
  }
}
