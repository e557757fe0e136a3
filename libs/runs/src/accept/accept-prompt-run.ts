import { type RunOptions, type Sampling, type Scope, isReplayed } from '@lensforge/contracts';
import { type Context, DomainError, newId, notFound, requireScope } from '@lensforge/core';
import { type Conversation, chooseModel, imagesIn, listTexts, readModelRequest } from '@lensforge/models';
import { type AcceptedRun, type PreparedRun, acceptOnce } from './accept-once.js';
import {
  type FundingRequest,
  byokKeyChoice,
  fundRun,
  promptCost,
  refuseFundingOfLenses,
  restrictModels,
} from './funding.js';
import { requireConsent } from './require-consent.js';
import { givenOptions, toOptionColumns } from './run-options.js';

/** The options that a prompt run can have. */
export type PromptRunOptions = {
  [Name in Exclude<keyof RunOptions, 'concurrencyKey' | 'concurrencyStrategy' | 'stickyKey'>]?:
    | RunOptions[Name]
    | undefined;
};

export interface PromptRunOrder extends FundingRequest, PromptRunOptions {
  prompt: string;
  /** The rest of the conversation that the prompt begins, and its tools; a call of one ends the run. */
  conversation?: Omit<Conversation, 'prompt'> | undefined;
  /** The AI lenser whose instructions the worker adds to the prompt; they are never in the run. */
  instructedBy?: string | undefined;
  /** The id, key or full name of the model; by default the platform's. */
  modelKey?: string | undefined;
  /** The time limit of the execution. */
  timeoutMs: number;
  /** The origin of the run. */
  cause: Readonly<Record<string, unknown>>;
  outputSchema?: Record<string, unknown> | undefined;
  sampling?: Sampling | undefined;
  parentRunId?: string | undefined;
  batchId?: string | undefined;
  idempotencyKey?: string | undefined;
  /** Of a repeated idempotency key; a conflict when absent. */
  onRepeat?: 'existing' | undefined;
  /** No fallback answers in place of the model. */
  hasOneModel?: boolean | undefined;
  /** The scope that the caller needs. */
  scope?: Scope | undefined;
}

/** Prompt runs have no lens or workflow, so the idempotency keys of an account share this target. */
export const targetOfPrompts = '00000000-0000-0000-0000-000000000000';

/** Accepts a run of a prompt that a model answers, like a lens run. */
export async function acceptPromptRun(ctx: Context, order: PromptRunOrder): Promise<AcceptedRun> {
  requireScope(ctx, order.scope ?? 'community:write');
  const { prompt, conversation, modelKey, fundingSource, byokKeyRefId, outputSchema, sampling } = order;
  const members = [
    prompt,
    ...(order.instructedBy === undefined ? [] : [order.instructedBy]),
    modelKey,
    fundingSource,
    byokKeyRefId,
    outputSchema,
    sampling,
    givenOptions(order),
    ...(conversation ? [conversation] : []),
  ];
  const keyed = { targetId: targetOfPrompts, key: order.idempotencyKey, members, onRepeat: order.onRepeat };
  return acceptOnce(ctx, keyed, (fingerprint) => prepare(ctx, order, fingerprint));
}

/** Checks everything that can be checked before anything is written. */
async function prepare(ctx: Context, order: PromptRunOrder, fingerprint: string): Promise<PreparedRun> {
  const { prompt, conversation = {}, modelKey: modelOverride, fundingSource, outputSchema, sampling } = order;
  refuseFundingOfLenses(order);
  await requireConsent(ctx, order.cause);
  const options = toOptionColumns(ctx, order, order.timeoutMs);
  const images = imagesIn(conversation);
  const { needs } = readModelRequest({ params: {}, outputSchema, sampling, fixedImages: images });
  if (conversation.tools) needs.push('tools');
  const instructions = order.instructedBy === undefined ? '' : await instructionsFor(ctx, order, order.instructedBy);
  const key = await byokKeyChoice(ctx, order);
  const replayed = isReplayed(order.cause);
  const criteria = { modelOverride, fundingSource, needs, isReplayed: replayed };
  const model = await chooseModel(ctx.db, { ...criteria, ...restrictModels(key, criteria) });
  const texts = [instructions, ...listTexts({ ...conversation, prompt })];
  const estimate = await promptCost(model, texts.join(''), { sampling, images });
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
      parentRunId: order.parentRunId ?? null,
      params: {
        prompt,
        ...conversation,
        ...(order.instructedBy !== undefined && { instructedBy: order.instructedBy }),
        ...(order.hasOneModel && { hasOneModel: true }),
      },
      modelId: model.id,
      fundingSource: fundingSource ?? null,
      outputSchema: outputSchema ?? null,
      sampling: sampling ?? null,
      traceparent: ctx.traceparent ?? null,
      key: order.idempotencyKey ?? null,
      fingerprint,
      outboxId: newId(),
      batchId: order.batchId ?? null,
      cause: order.cause,
      ...options,
      ...funding,
    },
  };
}

/** The instructions of an AI lenser, for an estimate. Those of another owner go to no endpoint of the caller. */
async function instructionsFor(ctx: Context, { fundingSource }: FundingRequest, aiLenserId: string): Promise<string> {
  const [found] = await ctx.db.query<{ instructions: string; handle: string; ownerId: string }[]>(
    `select l.instructions, a.handle, a.owner_account_id as "ownerId"
       from ai_lensers l join accounts a on a.id = l.account_id where l.account_id = $1`,
    [aiLenserId],
  );
  if (!found) throw notFound('AI lenser', aiLenserId);
  const { instructions, handle, ownerId } = found;
  if (fundingSource === 'user_byok_cloud' && ownerId !== ctx.actor.accountId) {
    throw new DomainError(
      'CONFLICT',
      `The AI lenser ${handle} belongs to another owner, so that no BYOK key of yours is used with it: use platform_credit`,
    );
  }
  return instructions;
}
