import {
  type Backfill,
  type EvaluationRule,
  type EvaluationRuleRemoved,
  type RunEvaluation,
  endpoints,
} from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { readFromReplica, withDbRetry } from '@lensforge/database';
import { Caller, Input, type InputOf, type ListResponse, Serves } from '@lensforge/edge';
import {
  backfillEvaluationRule,
  createEvaluationRule,
  listEvaluationRules,
  listRunEvaluations,
  readEvaluationRule,
  removeEvaluationRule,
  takeOverEvaluationRule,
  updateEvaluationRule,
} from '@lensforge/evaluation';
import { Controller } from '@nestjs/common';
import { countedPageResponse, pageResponse, withOffset } from './page-response.js';

@Controller()
export class EvaluationRulesController {
  @Serves(endpoints.listEvaluationRules)
  async list(
    @Caller() ctx: Context,
    @Input() { query }: InputOf<typeof endpoints.listEvaluationRules>,
  ): Promise<ListResponse<EvaluationRule>> {
    return pageResponse(await readFromReplica(ctx, (ctx) => listEvaluationRules(ctx, query)));
  }

  @Serves(endpoints.createEvaluationRule)
  create(
    @Caller() ctx: Context,
    @Input() { body }: InputOf<typeof endpoints.createEvaluationRule>,
  ): Promise<EvaluationRule> {
    return createEvaluationRule(ctx, body);
  }

  @Serves(endpoints.getEvaluationRule)
  read(
    @Caller() ctx: Context,
    @Input() { params }: InputOf<typeof endpoints.getEvaluationRule>,
  ): Promise<EvaluationRule> {
    return withDbRetry(() => readEvaluationRule(ctx, params.ruleId));
  }

  @Serves(endpoints.updateEvaluationRule)
  update(
    @Caller() ctx: Context,
    @Input() { params, body }: InputOf<typeof endpoints.updateEvaluationRule>,
  ): Promise<EvaluationRule> {
    return updateEvaluationRule(ctx, { ...body, ...params });
  }

  @Serves(endpoints.removeEvaluationRule)
  remove(
    @Caller() ctx: Context,
    @Input() { params }: InputOf<typeof endpoints.removeEvaluationRule>,
  ): Promise<EvaluationRuleRemoved> {
    return removeEvaluationRule(ctx, params.ruleId);
  }

  @Serves(endpoints.backfillEvaluationRule)
  backfill(
    @Caller() ctx: Context,
    @Input() { params, body }: InputOf<typeof endpoints.backfillEvaluationRule>,
  ): Promise<Backfill> {
    return backfillEvaluationRule(ctx, { ...body, ...params });
  }

  @Serves(endpoints.takeOverEvaluationRule)
  takeOver(
    @Caller() ctx: Context,
    @Input() { params }: InputOf<typeof endpoints.takeOverEvaluationRule>,
  ): Promise<EvaluationRule> {
    return takeOverEvaluationRule(ctx, params.ruleId);
  }

  @Serves(endpoints.listRunEvaluations)
  async ofRun(
    @Caller() ctx: Context,
    @Input() { params, query }: InputOf<typeof endpoints.listRunEvaluations>,
  ): Promise<ListResponse<RunEvaluation>> {
    return countedPageResponse(
      await readFromReplica(ctx, (ctx) => listRunEvaluations(ctx, { ...params, ...withOffset(query) })),
    );
  }
}
