import {
  type PlatformExecutionAccepted,
  type PlatformExecutionArtifact,
  type PlatformRunStatus,
  type ReleaseStatistics,
  type RunCanceled,
  type RunInput,
  type RunItem,
  type RunReported,
  type RunStatistics,
  endpoints,
} from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { readFromReplica, withDbRetry } from '@lensforge/database';
import { Caller, Input, type InputOf, type ListResponse, RateLimits, Serves } from '@lensforge/edge';
import {
  type CountRun,
  cancelRun,
  listArtifacts,
  listRuns,
  readArtifact,
  readRun,
  readLensMessages,
  readRunInput,
  readRunStatistics,
  reportRun,
  retryRun,
} from '@lensforge/runs';
import { readReleaseStatistics } from '@lensforge/evaluation';
import { Controller, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { countedPageResponse, pageResponse, withOffset } from './page-response.js';

@Controller()
export class RunsController {
  constructor(private readonly limits: RateLimits) {}

  /** Counts a retried workflow as a run; the endpoint has already counted the retry as an execution. */
  private readonly countRun: CountRun = async (accountId, rate) =>
    rate === 'execute' ? undefined : this.limits.tryCount(rate, accountId);

  @Serves(endpoints.listRuns)
  async list(
    @Caller() ctx: Context,
    @Input() { query }: InputOf<typeof endpoints.listRuns>,
  ): Promise<ListResponse<RunItem>> {
    return pageResponse(await readFromReplica(ctx, (ctx) => listRuns(ctx, query)));
  }

  @Serves(endpoints.getRun)
  read(@Caller() ctx: Context, @Input() { params }: InputOf<typeof endpoints.getRun>): Promise<PlatformRunStatus> {
    return withDbRetry(() => readRun(ctx, params.runId));
  }

  @Serves(endpoints.getRunInput)
  input(@Caller() ctx: Context, @Input() { params }: InputOf<typeof endpoints.getRunInput>): Promise<RunInput> {
    return withDbRetry(async () => ({
      ...(await readRunInput(ctx, params.runId)),
      messages: await readLensMessages(ctx, params.runId),
    }));
  }

  @Serves(endpoints.getRunStatistics)
  statistics(
    @Caller() ctx: Context,
    @Input() { query }: InputOf<typeof endpoints.getRunStatistics>,
  ): Promise<RunStatistics> {
    return readFromReplica(ctx, (ctx) => readRunStatistics(ctx, query));
  }

  @Serves(endpoints.getReleaseStatistics)
  releaseStatistics(
    @Caller() ctx: Context,
    @Input() { query }: InputOf<typeof endpoints.getReleaseStatistics>,
  ): Promise<ReleaseStatistics> {
    return readFromReplica(ctx, (ctx) => readReleaseStatistics(ctx, query));
  }

  @Serves(endpoints.cancelRun)
  cancel(@Caller() ctx: Context, @Input() { params }: InputOf<typeof endpoints.cancelRun>): Promise<RunCanceled> {
    return cancelRun(ctx, params.runId);
  }

  @Serves(endpoints.reportRun)
  report(@Caller() ctx: Context, @Input() { params, body }: InputOf<typeof endpoints.reportRun>): Promise<RunReported> {
    return reportRun(ctx, { ...params, ...body });
  }

  @Serves(endpoints.retryRun)
  async retry(
    @Caller() ctx: Context,
    @Input() { params, body }: InputOf<typeof endpoints.retryRun>,
  ): Promise<PlatformExecutionAccepted> {
    const { runId, status, workflowId } = await retryRun(ctx, { ...params, ...body, countRun: this.countRun });
    return { runId, status, workflowId };
  }

  @Serves(endpoints.listRunArtifacts)
  async artifacts(
    @Caller() ctx: Context,
    @Input() { params, query }: InputOf<typeof endpoints.listRunArtifacts>,
  ): Promise<ListResponse<PlatformExecutionArtifact>> {
    return countedPageResponse(
      await readFromReplica(ctx, (ctx) => listArtifacts(ctx, { ...params, ...withOffset(query) })),
    );
  }

  @Serves(endpoints.getRunArtifact)
  artifact(
    @Caller() ctx: Context,
    @Input() { params }: InputOf<typeof endpoints.getRunArtifact>,
  ): Promise<PlatformExecutionArtifact> {
    return withDbRetry(() => readArtifact(ctx, params));
  }

  @Serves(endpoints.getRunArtifactContent)
  async content(
    @Caller() ctx: Context,
    @Input() { params }: InputOf<typeof endpoints.getRunArtifactContent>,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { id, contentText, contentJson } = await withDbRetry(() => readArtifact(ctx, params));
    const isText = typeof contentText === 'string';
    await reply
      .header('content-type', isText ? 'text/plain; charset=utf-8' : 'application/json')
      .header('content-disposition', `attachment; filename="${id}.${isText ? 'txt' : 'json'}"`)
      .send(isText ? contentText : Buffer.from(JSON.stringify(contentJson ?? null)));
  }
}
