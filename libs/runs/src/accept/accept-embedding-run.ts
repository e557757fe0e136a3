import { type Scope, isReplayed } from '@lensforge/contracts';
import { type Context, newId, requireScope } from '@lensforge/core';
import { chooseModel } from '@lensforge/models';
import type { EmbeddedTexts } from '../prompt-params.js';
import { type AcceptedRun, type PreparedRun, acceptOnce } from './accept-once.js';
import { type PromptRunOptions, type PromptRunOrder, targetOfPrompts } from './accept-prompt-run.js';
import { byokKeyChoice, fundRun, promptCost, refuseFundingOfLenses, restrictModels } from './funding.js';
import { givenOptions, toOptionColumns } from './run-options.js';

export interface EmbeddingRunOrder
  extends
    Pick<
      PromptRunOrder,
      'modelKey' | 'timeoutMs' | 'cause' | 'idempotencyKey' | 'onRepeat' | 'fundingSource' | 'byokKeyRefId'
    >,
    PromptRunOptions,
    EmbeddedTexts {
  scope?: Scope | undefined;
}

/** An embedding has no text as output, so that its output tokens cost nothing. */
const sampling = { maxOutputTokens: 1 };

/** Accepts a prompt run whose model turns texts into vectors in place of an answer. */
export async function acceptEmbeddingRun(ctx: Context, order: EmbeddingRunOrder): Promise<AcceptedRun> {
  requireScope(ctx, order.scope ?? 'community:write');
  const { texts, dimensions, modelKey, fundingSource, byokKeyRefId } = order;
  const members = ['embed', texts, dimensions, modelKey, fundingSource, byokKeyRefId, givenOptions(order)];
  const keyed = { targetId: targetOfPrompts, key: order.idempotencyKey, members, onRepeat: order.onRepeat };
  return acceptOnce(ctx, keyed, (fingerprint) => prepare(ctx, order, fingerprint));
}

async function prepare(ctx: Context, order: EmbeddingRunOrder, fingerprint: string): Promise<PreparedRun> {
  const { texts, dimensions, modelKey: modelOverride, fundingSource } = order;
  refuseFundingOfLenses(order);
  const options = toOptionColumns(ctx, order, order.timeoutMs);
  const key = await byokKeyChoice(ctx, order);
  const replayed = isReplayed(order.cause);
  const criteria = { modelOverride, fundingSource, needs: ['embeddings' as const], isReplayed: replayed };
  // The vectors of two models cannot be compared, so that no other model stands in for this one.
  const model = {
    ...(await chooseModel(ctx.db, { ...criteria, ...restrictModels(key, criteria) })),
    alternatives: [],
  };
  const estimate = await promptCost(model, texts.join('\n'), { sampling });
  const { limits, ...funding } = await fundRun(ctx, {
    request: order,
    key,
    sponsor: undefined,
    model,
    estimate,
    isReplayed: replayed,
  });
  return {
    limits,
    run: {
      id: newId(),
      requestId: ctx.requestId,
      accountId: ctx.actor.accountId,
      kind: 'prompt',
      targetId: targetOfPrompts,
      lensId: null,
      lensVersionId: null,
      parentRunId: null,
      params: { embed: { texts, ...(dimensions !== undefined && { dimensions }) } },
      modelId: model.id,
      fundingSource: fundingSource ?? null,
      outputSchema: null,
      sampling: null,
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
