import { recordAudit } from '@lensforge/audit';
import {
  type FailedRuns,
  type FailedRunsRetried,
  type OperatorRuns,
  type OperatorStatus,
  type QueueStatus,
  type RunStatistics,
  type RunsRequeued,
  endpoints,
} from '@lensforge/contracts';
import { type Context, DomainError } from '@lensforge/core';
import { inTransaction, readFromReplica, withDbRetry } from '@lensforge/database';
import { Caller, Input, type InputOf, Platform, RateLimits, Serves } from '@lensforge/edge';
import { requireOperator } from '@lensforge/identity';
import { isReady, queueDepths, switchQueue } from '@lensforge/queue';
import { countFailedRuns, listRunsForOperators, readAllRunStatistics, requeueRuns } from '@lensforge/runs';
import { Controller } from '@nestjs/common';
import type { GatewayEnvironment } from '../environment.js';
import { operatorStatus } from './operator-status.js';
import { retryFailedRuns } from './retry-failed-runs.js';

@Controller()
export class OperatorController {
  constructor(
    private readonly platform: Platform<GatewayEnvironment>,
    private readonly limits: RateLimits,
  ) {}

  @Serves(endpoints.getOperatorStatus)
  async status(@Caller() ctx: Context): Promise<OperatorStatus> {
    await withDbRetry(() => requireOperator(ctx));
    return withDbRetry(() => operatorStatus(ctx, this.platform));
  }

  @Serves(endpoints.getOperatorRunStatistics)
  async statistics(
    @Caller() ctx: Context,
    @Input() { query }: InputOf<typeof endpoints.getOperatorRunStatistics>,
  ): Promise<RunStatistics> {
    await withDbRetry(() => requireOperator(ctx));
    return readFromReplica(ctx, (ctx) => readAllRunStatistics(ctx, query));
  }

  @Serves(endpoints.listOperatorRuns)
  async runs(
    @Caller() ctx: Context,
    @Input() { query }: InputOf<typeof endpoints.listOperatorRuns>,
  ): Promise<OperatorRuns> {
    await withDbRetry(() => requireOperator(ctx));
    return { runs: await withDbRetry(() => listRunsForOperators(ctx, query.list)) };
  }

  @Serves(endpoints.setOperatorQueue)
  async switch(
    @Caller() ctx: Context,
    @Input() { params: { queue }, body: { paused } }: InputOf<typeof endpoints.setOperatorQueue>,
  ): Promise<QueueStatus> {
    await withDbRetry(() => requireOperator(ctx));
    const { redis, environment } = this.platform;
    if (!isReady(redis)) throw new DomainError('UNAVAILABLE', 'Redis cannot be reached: try again when it is back');
    const where = { redis, prefix: environment.queuePrefix };
    // Before the change: an entry without a change is less bad than a change without an entry.
    await this.audit(ctx, paused ? 'queue.paused' : 'queue.resumed', { queue });
    await switchQueue({ ...where, queue, paused });
    const [status] = await queueDepths({ ...where, queues: [queue] });
    if (!status) throw new Error(`the queue ${queue} has no status`);
    return status;
  }

  @Serves(endpoints.requeueOperatorRuns)
  async requeue(@Caller() ctx: Context): Promise<RunsRequeued> {
    await withDbRetry(() => requireOperator(ctx));
    const requeued = await requeueRuns(ctx);
    await this.audit(ctx, 'runs.requeued', { requeued });
    return { requeued };
  }

  @Serves(endpoints.countOperatorFailedRuns)
  async failedRuns(
    @Caller() ctx: Context,
    @Input() { query }: InputOf<typeof endpoints.countOperatorFailedRuns>,
  ): Promise<FailedRuns> {
    await withDbRetry(() => requireOperator(ctx));
    return readFromReplica(ctx, (ctx) => countFailedRuns(ctx, query));
  }

  @Serves(endpoints.retryOperatorFailedRuns)
  async retry(
    @Caller() ctx: Context,
    @Input() { body }: InputOf<typeof endpoints.retryOperatorFailedRuns>,
  ): Promise<FailedRunsRetried> {
    await withDbRetry(() => requireOperator(ctx));
    return retryFailedRuns(ctx, body, {
      countRun: (accountId, rate) => this.limits.tryCount(rate, accountId),
      onFault: (err, runId) => this.platform.logger.error({ err, runId }, 'a failed run cannot be retried'),
    });
  }

  private audit(
    ctx: Context,
    action: 'queue.paused' | 'queue.resumed' | 'runs.requeued',
    details: Record<string, unknown>,
  ): Promise<unknown> {
    const { accountId } = ctx.actor;
    return inTransaction(ctx, (ctx) => recordAudit(ctx, { accountId, action, details }));
  }
}
