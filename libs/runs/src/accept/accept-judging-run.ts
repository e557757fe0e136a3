import { type Context, type DomainError, badInput, newId, requireScope } from '@lensforge/core';
import { modelById } from '@lensforge/models';
import { type AcceptedRun, type PreparedRun, acceptOnce, hashMembers, writeFreeRuns } from './accept-once.js';
import { type Funding, type FundingRequest, byokKeyChoice, free, fundRun, refuseFundingOfLenses } from './funding.js';
import type { NewRun } from './insert-runs.js';
import { toOptionColumns } from './run-options.js';

export interface JudgingRunOrder extends FundingRequest {
  /** The judged object, to which idempotency keys belong. */
  targetId: string;
  params: Record<string, unknown>;
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

/** Accepts a run that judges answers; its cost was estimated by the caller. */
export async function acceptJudgingRun(ctx: Context, order: JudgingRunOrder): Promise<AcceptedRun> {
  requireScope(ctx, 'community:write');
  const { targetId, idempotencyKey: key } = order;
  return acceptOnce(ctx, { targetId, key, members: listKeyedMembers(order) }, (fingerprint) =>
    prepare(ctx, order, fingerprint),
  );
}

export interface FreeJudgingOrder {
  /** The context of the account to which the run belongs. */
  owner: Context;
  order: Omit<JudgingRunOrder, 'modelId' | 'hold' | 'fundingSource' | 'byokKeyRefId'> & { idempotencyKey: string };
}

/**
 * Accepts runs that judge answers without a model, in one statement and in the transaction of the caller. The outcome of a
 * refused one is an error.
 */
export async function acceptFreeJudgingRuns(
  ctx: Context,
  orders: readonly FreeJudgingOrder[],
): Promise<(AcceptedRun | DomainError)[]> {
  const runs = orders.map(({ owner, order: { idempotencyKey, ...rest } }) => {
    requireScope(owner, 'community:write');
    const order = { ...rest, idempotencyKey, modelId: null, hold: 0 };
    return newRun(owner, order, { fingerprint: hashMembers(listKeyedMembers(order)), funding: free });
  });
  return writeFreeRuns(ctx, runs);
}

const listKeyedMembers = ({ params, modelId, hold, fundingSource, byokKeyRefId }: JudgingRunOrder): unknown[] => [
  params,
  modelId,
  hold,
  fundingSource,
  byokKeyRefId,
];

/** Checks everything that can be checked before anything is written. */
async function prepare(ctx: Context, order: JudgingRunOrder, fingerprint: string): Promise<PreparedRun> {
  const { modelId } = order;
  refuseFundingOfLenses(order);
  const funding = modelId === null ? free : await fundJudging(ctx, order, modelId);
  return { limits: funding.limits, run: newRun(ctx, order, { fingerprint, funding }) };
}

function newRun(
  ctx: Context,
  order: JudgingRunOrder,
  { fingerprint, funding }: { fingerprint: string; funding: Funding },
): NewRun {
  const { hold, payerAccountId, byokKeyId } = funding;
  return {
    id: newId(),
    requestId: ctx.requestId,
    accountId: ctx.actor.accountId,
    kind: 'judging',
    targetId: order.targetId,
    lensId: null,
    lensVersionId: null,
    parentRunId: order.parentRunId ?? null,
    params: order.params,
    modelId: order.modelId,
    fundingSource: order.fundingSource ?? null,
    traceparent: ctx.traceparent ?? null,
    key: order.idempotencyKey ?? null,
    fingerprint,
    outboxId: newId(),
    cause: order.cause,
    ...toOptionColumns(ctx, order, order.timeoutMs),
    hold,
    payerAccountId,
    byokKeyId,
  };
}

async function fundJudging(ctx: Context, order: JudgingRunOrder, modelId: string): Promise<Funding> {
  const key = await byokKeyChoice(ctx, order);
  const model = await modelById(ctx.db, modelId);
  if (!model) throw badInput('modelId', `there is no model with the id ${modelId}`);
  return fundRun(ctx, { request: order, key, sponsor: undefined, model, estimate: order.hold });
}
