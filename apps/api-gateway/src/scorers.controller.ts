import { type ScorerRemoved, type ScorerTested, type StoredScorer, endpoints } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { readFromReplica, withDbRetry } from '@lensforge/database';
import { Caller, Input, type InputOf, type ListResponse, Platform, Serves } from '@lensforge/edge';
import { createScorer, listScorers, readScorer, removeScorer, testScorer, updateScorer } from '@lensforge/evaluation';
import { Controller } from '@nestjs/common';
import type { GatewayEnvironment } from './environment.js';
import { pageResponse } from './page-response.js';

@Controller()
export class ScorersController {
  private readonly timeoutMs: number;

  constructor(platform: Platform<GatewayEnvironment>) {
    this.timeoutMs = platform.environment.LENSFORGE_RUN_TIMEOUT_MS;
  }

  @Serves(endpoints.listScorers)
  async list(
    @Caller() ctx: Context,
    @Input() { query }: InputOf<typeof endpoints.listScorers>,
  ): Promise<ListResponse<StoredScorer>> {
    return pageResponse(await readFromReplica(ctx, (ctx) => listScorers(ctx, query)));
  }

  @Serves(endpoints.createScorer)
  create(@Caller() ctx: Context, @Input() { body }: InputOf<typeof endpoints.createScorer>): Promise<StoredScorer> {
    return createScorer(ctx, body);
  }

  @Serves(endpoints.getScorer)
  read(@Caller() ctx: Context, @Input() { params, query }: InputOf<typeof endpoints.getScorer>): Promise<StoredScorer> {
    return withDbRetry(() => readScorer(ctx, { ...query, ...params }));
  }

  @Serves(endpoints.updateScorer)
  update(
    @Caller() ctx: Context,
    @Input() { params, body }: InputOf<typeof endpoints.updateScorer>,
  ): Promise<StoredScorer> {
    return updateScorer(ctx, { ...body, ...params });
  }

  @Serves(endpoints.removeScorer)
  remove(@Caller() ctx: Context, @Input() { params }: InputOf<typeof endpoints.removeScorer>): Promise<ScorerRemoved> {
    return removeScorer(ctx, params.scorerId);
  }

  @Serves(endpoints.testScorer)
  test(@Caller() ctx: Context, @Input() { params, body }: InputOf<typeof endpoints.testScorer>): Promise<ScorerTested> {
    return testScorer(ctx, {
      ...body,
      ...params,
      timeoutMs: this.timeoutMs,
      waitMs: endpoints.testScorer.waitsMs ?? 0,
    });
  }
}
