import { type LensExecuteRequest, type LensSettings, isReplayed, readBatchPolicy } from '@lensforge/contracts';
import { type Context, DomainError, badInput, newId, requireScope, toAuthority } from '@lensforge/core';
import {
  type ModelCall,
  type RunnableLens,
  applySettings,
  chooseVersionOf,
  missingMessage,
  runnableLens,
  textOf,
} from '@lensforge/lenses';
import { type ChosenModel, atBatchRates, chooseModel, readModelRequest } from '@lensforge/models';
import { toConcurrencyColumns } from '../admit/concurrency-keys.js';
import { type AcceptedRun, type PreparedRun, acceptOnce } from './accept-once.js';
import { byokKeyChoice, fundRun, promptCost, restrictModels } from './funding.js';
import type { NewRun } from './insert-runs.js';
import { type ReleaseRequest, toReleaseColumns, toStickyHash } from './release.js';
import { givenOptions, toOptionColumns } from './run-options.js';
import { sponsorFor } from './sponsor.js';

export type { AcceptedRun } from './accept-once.js';

export interface LensRunOrder extends LensExecuteRequest, Omit<ReleaseRequest, 'stickyKey'> {
  lensId: string;
  /** The longest execution that the platform allows. */
  timeoutMs: number;
  batchId?: string | undefined;
  parentRunId?: string | undefined;
  cause?: object | undefined;
  /** The model when neither the request nor the lens names one. */
  usualModel?: string | undefined;
  /** True when the lens does not choose the model, so that several lenses answer with the same one. */
  hasOneModel?: boolean | undefined;
  /** The effect of another request under a used idempotency key: an error, or the existing run. */
  onRepeat?: 'refuse' | 'existing' | undefined;
  /** True for a repeat of a run, whose model, sampling and schema are those of its lens already. */
  isRepeat?: boolean | undefined;
}

/**
 * Accepts a lens run: one commit contains the run, its first event, its hold of credits and its job. A lens that the
 * caller has read with `runnableLens` is not read again.
 */
export async function acceptLensRun(ctx: Context, order: LensRunOrder, lens?: RunnableLens): Promise<AcceptedRun> {
  requireScope(ctx, 'lenses:read');
  const { lensId: targetId, idempotencyKey: key, onRepeat } = order;
  return acceptOnce(ctx, { targetId, key, onRepeat, members: listKeyedMembers(order) }, (fingerprint) =>
    prepare(ctx, order, fingerprint, lens),
  );
}

/** Checks everything that can be checked before anything is written. */
async function prepare(
  ctx: Context,
  order: LensRunOrder,
  fingerprint: string,
  known: RunnableLens | undefined,
): Promise<PreparedRun> {
  const options = toOptionColumns(ctx, order, order.timeoutMs);
  const key = await byokKeyChoice(ctx, order);
  const newest = known ?? (await runnableLens(ctx, order.lensId));
  const release = await chooseVersionOf(ctx.db, newest, { name: order.version, stickyHash: toStickyHash(ctx, order) });
  const lens = { ...newest, version: release.version };
  const { settings } = lens.version;
  const hasTools = settings?.tools !== undefined;
  if (hasTools) refuseWithTools(ctx, order, lens);
  const call = toModelCall(order, settings);
  const { outputSchema, sampling } = call;
  const values = lens.version.toValues(order.params);
  const { needs, params, images } = readModelRequest({
    params: values,
    outputSchema,
    sampling,
    fixedImages: lens.version.template.images,
  });
  if (hasTools) needs.push('tools');
  if (images.length > 0 && order.fundingSource === 'user_byok_local') {
    throw badInput('fundingSource', 'user_byok_local sends no images to its runner; use another one');
  }
  const resolved = lens.version.resolve(params);
  if ('missing' in resolved) {
    const { missing } = resolved;
    const message = missingMessage({ params: lens.version.params, values: params, missing }, 'params');
    throw new DomainError('MISSING_PARAMS', message, { missing });
  }
  const sponsor = await sponsorFor(ctx, order, lens.id);
  const among = sponsor?.models ?? undefined;
  const { modelOverride, providerOverride, preferred } = call;
  const { fundingSource } = order;
  const wish = { modelOverride, providerOverride, preferred, fundingSource, needs, allowed: among };
  const replayed = isReplayed(order.cause);
  const criteria = { ...wish, ...(key && restrictModels(key, call)), isReplayed: replayed };
  const chosen = await chooseModel(ctx.db, criteria);
  const model = readBatchPolicy(order.cause) ? withBatchRates(chosen) : chosen;
  const estimate = await promptCost(model, textOf(resolved), { sampling, images });
  const { limits, ...funding } = await fundRun(ctx, {
    request: order,
    key,
    sponsor,
    model,
    estimate,
    isReplayed: replayed,
  });
  // Spreads come last: V8 builds an object that begins with one member by member.
  const run: NewRun = {
    id: newId(),
    requestId: ctx.requestId,
    accountId: ctx.actor.accountId,
    kind: 'lens',
    targetId: lens.id,
    lensId: lens.id,
    lensVersionId: lens.version.id,
    parentRunId: order.parentRunId ?? null,
    params: order.params,
    modelId: model.id,
    fundingSource: order.fundingSource ?? null,
    outputSchema: outputSchema ?? null,
    sampling: sampling ?? null,
    traceparent: ctx.traceparent ?? null,
    key: order.idempotencyKey ?? null,
    fingerprint,
    outboxId: newId(),
    batchId: order.batchId ?? null,
    cause: order.cause ?? null,
    ...options,
    ...funding,
    ...toConcurrencyColumns(lens.id, order),
    ...toReleaseColumns(order, release),
  };
  return { run: hasTools ? heldByStep(ctx, run, order) : run, limits };
}

/** The answer of a batch is that of the model itself. */
const withBatchRates = (model: ChosenModel): ChosenModel => ({ ...atBatchRates(model), alternatives: [] });

/** The platform executes the run of a lens with tools. Those that it performs itself are of an AI lenser of the owner. */
function refuseWithTools(ctx: Context, { fundingSource, hasOneModel }: LensRunOrder, lens: RunnableLens): void {
  if (fundingSource === 'user_byok_local') {
    throw badInput('fundingSource', 'user_byok_local cannot execute a lens with tools; use another one');
  }
  if (hasOneModel) throw new DomainError('CONFLICT', 'A lens with tools needs a caller who performs them');
  if (lens.version.settings?.toolsOf === undefined || lens.accountId === ctx.actor.accountId) return;
  throw new DomainError(
    'FORBIDDEN',
    'Only the owner of this lens can run it: fork it, and name an AI lenser of yours in toolsOf',
  );
}

/**
 * The run of a lens with tools. Its steps hold credits of their own, and its tools are called with no more rights than those of
 * the caller.
 */
function heldByStep(ctx: Context, run: NewRun, { maxCredits }: LensRunOrder): NewRun {
  const { scopes: agentScopes, creditLimit } = toAuthority(ctx.actor);
  const cause = { ...run.cause, agentScopes, ...(creditLimit && { creditLimit }) };
  return { ...run, hold: 0, budgetCredits: maxCredits ?? null, cause };
}

/** The model, sampling and schema for a request to a lens. */
function toModelCall(order: LensRunOrder, settings: LensSettings | null): ModelCall {
  if (order.isRepeat) return { ...order, preferred: settings?.models };
  if (!settings && order.usualModel === undefined) return order;
  const { models, ...others } = settings ?? {};
  if (order.hasOneModel) return applySettings(others, order);
  return applySettings(settings, models ? order : { ...order, modelOverride: order.modelOverride ?? order.usualModel });
}

/** The members in which repeated requests must agree. */
function listKeyedMembers(order: LensRunOrder): unknown[] {
  const { params, modelOverride, providerOverride, fundingSource, byokKeyRefId, version } = order;
  const { outputSchema, sampling } = order;
  const members = [params, modelOverride, providerOverride, fundingSource, byokKeyRefId, ...(version ? [version] : [])];
  if (outputSchema ?? sampling) members.push({ outputSchema, sampling });
  const options = givenOptions(order);
  if (options) members.push({ options });
  return members;
}
