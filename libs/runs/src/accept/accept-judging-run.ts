import type { Context } from '@lensforge/core';
import { badInput, newId, requireScope } from '@lensforge/core';
import { modelById } from '@lensforge/models';
import type { PreparedRun } from './accept-once.js';
import { acceptOnce } from './accept-once.js';
import type { FundingRequest } from './funding-request.js';
import type { Funding } from './funding.js';
import { byokKeyChoice, free, fundRun, refuseFundingOfLenses } from './funding.js';
import { optionsOf } from './run-options.js';
import type { AcceptedRun } from './write-run.js';

export interface JudgingRunOrder extends FundingRequest {
  params: { battleId: string };
  /** null: no model judges, and the run is free. */
  modelId: string | null;
  /** The estimated maximum cost of all judgements in credits. */
  hold: number;
  /** The time limit of the execution. */
  timeoutMs: number;
  /** The origin of the run. */
  cause: object;
  parentRunId?: string | undefined;
  idempotencyKey?: string | undefined;
}

/** Accepts a run that judges a battle; its cost was estimated by the caller. */
export async function acceptJudgingRun(ctx: Context, order: JudgingRunOrder): Promise<AcceptedRun> {
  requireScope(ctx, 'community:write');
  const { params, modelId, hold, fundingSource, byokKeyRefId, idempotencyKey: key } = order;
  const members = [params, modelId, hold, fundingSource, byokKeyRefId];
  return acceptOnce(ctx, { targetId: params.battleId, key, members }, (fingerprint) =>
    prepare(ctx, order, fingerprint),
  );
}

/** Checks everything that can be checked before anything is written. */
async function prepare(ctx: Context, order: JudgingRunOrder, fingerprint: string): Promise<PreparedRun> {
  const { params, modelId } = order;
  refuseFundingOfLenses(order);
  const options = optionsOf(ctx, order, order.timeoutMs);
  const { limits, ...funding } = modelId === null ? free : await fundJudging(ctx, order, modelId);
  return {
    limits,
    run: {
      id: newId(),
      requestId: ctx.requestId,
      accountId: ctx.actor.accountId,
      kind: 'judging',
      targetId: params.battleId,
      lensId: null,
      lensVersionId: null,
      parentRunId: order.parentRunId ?? null,
      params,
      modelId,
      fundingSource: order.fundingSource ?? null,
      traceparent: ctx.traceparent ?? null,
      key: order.idempotencyKey ?? null,
      fingerprint,
      outboxId: newId(),
      cause: order.cause,
      ...options,
      ...funding,
    },
  };
}

async function fundJudging(ctx: Context, order: JudgingRunOrder, modelId: string): Promise<Funding> {
  const key = await byokKeyChoice(ctx, order);
  const model = await modelById(ctx.db, modelId);
  if (!model) throw badInput('modelId', `there is no model with the id ${modelId}`);
  return fundRun(ctx, { request: order, key, sponsor: undefined, model, estimate: order.hold });
}
