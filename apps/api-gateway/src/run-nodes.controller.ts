import {
  InvalidInput,
  type PendingApproval,
  type RunApproval,
  type RunNodeItem,
  type ToolResultsAccepted,
  type WaitAnswered,
  type WaitUrl,
  endpoints,
  faultInJson,
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
  publicUrl,
  refuseQuery,
} from '@lensforge/edge';
import {
  answerApproval,
  answerToolCalls,
  answerWait,
  listApprovals,
  listPendingApprovals,
  listRunNodes,
  openWait,
} from '@lensforge/runs';
import { Controller, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { GatewayEnvironment } from './environment.js';
import { countedPageResponse, pageResponse, withOffset } from './page-response.js';

@Controller()
export class RunNodesController {
  constructor(
    private readonly platform: Platform<GatewayEnvironment>,
    private readonly limits: RateLimits,
  ) {}

  @Serves(endpoints.listRunNodes)
  async nodes(
    @Caller() ctx: Context,
    @Input() { params, query }: InputOf<typeof endpoints.listRunNodes>,
  ): Promise<ListResponse<RunNodeItem>> {
    return pageResponse(await readFromReplica(ctx, (ctx) => listRunNodes(ctx, { ...query, ...params })));
  }

  @Serves(endpoints.listRunApprovals)
  async approvals(
    @Caller() ctx: Context,
    @Input() { params, query }: InputOf<typeof endpoints.listRunApprovals>,
  ): Promise<ListResponse<RunApproval>> {
    return countedPageResponse(
      await readFromReplica(ctx, (ctx) => listApprovals(ctx, { ...params, ...withOffset(query) })),
    );
  }

  @Serves(endpoints.listPendingApprovals)
  async pending(
    @Caller() ctx: Context,
    @Input() { query }: InputOf<typeof endpoints.listPendingApprovals>,
  ): Promise<ListResponse<PendingApproval>> {
    return countedPageResponse(await readFromReplica(ctx, (ctx) => listPendingApprovals(ctx, withOffset(query))));
  }

  @Serves(endpoints.answerRunApproval)
  answer(
    @Caller() ctx: Context,
    @Input() { params, body }: InputOf<typeof endpoints.answerRunApproval>,
  ): Promise<RunApproval> {
    return answerApproval(ctx, { ...params, ...body });
  }

  @Serves(endpoints.answerToolCalls)
  async answerTools(
    @Caller() ctx: Context,
    @Input() { params: { runId }, body }: InputOf<typeof endpoints.answerToolCalls>,
  ): Promise<ToolResultsAccepted> {
    return { runId, requiredAction: await answerToolCalls(ctx, { runId, ...body }) };
  }

  @Serves(endpoints.createWaitUrl)
  async openWait(
    @Caller() ctx: Context,
    @Input() { params }: InputOf<typeof endpoints.createWaitUrl>,
    @Req() request: FastifyRequest,
  ): Promise<WaitUrl> {
    const { token, expiresAt } = await openWait(ctx, params);
    const { LENSFORGE_PUBLIC_API_URL } = this.platform.environment;
    return { url: `${publicUrl(LENSFORGE_PUBLIC_API_URL, request.headers.host)}/v1/waits/${token}`, expiresAt };
  }

  @Serves(endpoints.answerWait)
  async received(
    @Input() { params }: InputOf<typeof endpoints.answerWait>,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<WaitAnswered> {
    enforceRateLimit(reply, await this.limits.take('incoming', `waits of ${networkSubject(request)}`));
    refuseQuery(request);
    const body = jsonOfRawBody(request);
    const fault = faultInJson(body);
    if (fault) throw new InvalidInput([fault]);
    const { database, now } = this.platform;
    const ctx = createRequestContext({ db: database.manager, now }, request, platformActor);
    await answerWait(ctx, params.token, body);
    return { received: true };
  }
}
