import type { LensSettings as SettingsOfLens } from '@lensforge/contracts';
import { DomainError } from '@lensforge/core';
import { withDbRetry } from '@lensforge/database';
import {
  type RunnableLens,
  applySettings,
  atVersion,
  estimateTokens,
  leavesModelOpen,
  newestAt,
  runnableLens,
  textOf,
} from '@lensforge/lenses';
import {
  type Funding,
  type HoldTerms,
  type Reservation,
  byokKeyChoice,
  decideFunding,
  restrictModels,
  promptCost,
  sponsorFor,
  toHoldTerms,
} from '@lensforge/runs';
import { chooseModel, modelById, priceUsage, readModelRequest } from '@lensforge/models';
import type { LensSettings } from '@lensforge/workflows';
import { requestModel, promptOfLens } from '../engine/request-model.js';
import { RunFailure } from '../engine/run-failure.js';
import { type ExecuteNode, type NodeOutcome, type NodeWork, failed } from './node-type.js';

type Work = NodeWork<LensSettings>;

/** Requests an answer with the template of a lens, funded like the run; its estimated cost is reserved before. */
export const lens: ExecuteNode<LensSettings> = async (work) => {
  const { settings, resolve, parts, owner, run } = work;
  const { lensId } = settings;
  const params = { ...(resolve(settings.params) as Record<string, unknown>), ...work.input };
  const input = { lensId, params };
  try {
    const { version } = await readLens(work);
    const prompt = await promptOfLens(owner, { lensVersionId: version.id, params });
    const { modelOverride, ...call } = applySettings(version.settings, { modelOverride: settings.model });
    const wish = { fundingSource: run.fundingSource ?? undefined, byokKeyRefId: run.byokKeyId ?? undefined };
    const key = await withDbRetry(() => byokKeyChoice(owner, wish));
    const sponsor = await withDbRetry(() => sponsorFor(owner, wish, lensId));
    const among = sponsor?.models ?? undefined;
    const { preferred, outputSchema, sampling } = call;
    const { needs } = readModelRequest({ params: {}, outputSchema, sampling });
    const model = await pickModel(work, version.settings, {
      ...wish,
      ...restrictModels(key, { modelOverride }),
      modelOverride,
      preferred,
      needs,
      allowed: among,
    });
    const text = textOf(prompt);
    const estimate = await promptCost(model, text, { sampling, images: prompt.images });
    const funding = decideFunding(owner, { request: wish, key, sponsor, model, estimate });
    const terms = toHoldTerms(model, await estimateTokens(text));
    const reserved = await reserveCredits(work, funding, terms);
    if (reserved.kind !== 'reserved') return { ...failureOfReservation(reserved, funding.hold), input };
    const byok = await parts.keys.openFor({ accountId: run.accountId, byokKeyId: funding.byokKeyId });
    const answer = await requestModel(
      parts,
      {
        ...prompt,
        modelId: model.id,
        outputSchema: outputSchema ?? null,
        sampling: sampling ?? null,
        byok,
        allowedModels: among,
        idempotencyKey: work.idempotencyKey,
      },
      { signal: work.signal, beforeCall: work.beforeEffect, onDelta: work.addText },
    );
    const used = { modelCalls: 1, ...priceUsage(answer.model, answer.usage, { isFree: reserved.amount === 0 }) };
    const output = { text: answer.text, ...(answer.json && { json: answer.json.value }) };
    return { kind: 'succeeded', output, input, ...used, reserved: mayHold(work, reserved) };
  } catch (reason) {
    work.signal.throwIfAborted();
    return { ...toNodeFailure(reason), input };
  }
};

/** The version in the settings, or else the newest one at the time when the run was accepted. */
async function readLens({ settings: { lensId, version }, owner, run }: Work): Promise<RunnableLens> {
  const newest = await withDbRetry(() => runnableLens(owner, lensId));
  return withDbRetry(() =>
    version === undefined ? newestAt(owner.db, newest, run.acceptedAt) : atVersion(owner.db, newest, version),
  );
}

/** The model of the run goes first, where the lens leaves the choice open. */
async function pickModel(
  { run: { modelId }, owner }: Work,
  lens: SettingsOfLens | null,
  wish: Parameters<typeof chooseModel>[1],
): ReturnType<typeof chooseModel> {
  const isOpen = leavesModelOpen(lens);
  const ofRun = modelId === null || !isOpen ? undefined : await withDbRetry(() => modelById(owner.db, modelId, wish));
  return ofRun ?? withDbRetry(() => chooseModel(owner.db, wish));
}

const reserveCredits = (
  { reserve }: Work,
  { hold: amount, payerAccountId, limits }: Funding,
  terms: HoldTerms,
): Promise<Reservation> =>
  amount > 0 ? reserve({ amount, payerAccountId, limits, terms }) : Promise.resolve({ kind: 'reserved', amount: 0 });

/** True when the node may hold credits: an earlier attempt may have reserved some. */
const mayHold = ({ node }: Work, { amount }: { amount: number }): boolean => amount > 0 || node.attempt > 1;

function failureOfReservation(reservation: Exclude<Reservation, { kind: 'reserved' }>, needed: number): NodeOutcome {
  switch (reservation.kind) {
    case 'over_budget':
      return failed(
        'BUDGET_EXCEEDED',
        `This node may cost ${needed} credits, and the budget of the run has fewer left`,
        { endsRun: true },
      );
    case 'insufficient':
      return failed('INSUFFICIENT_CREDITS', reservation.message, { retry: 'final' });
    case 'lost':
      return failed('WORKER_LOST', 'another worker executes this node now', { retry: 'passing' });
  }
}

function toNodeFailure(reason: unknown): NodeOutcome {
  if (reason instanceof RunFailure) {
    const { code, message, retry } = reason;
    return failed(code, message, retry && { retry: 'passing', afterMs: retry.afterMs });
  }
  if (reason instanceof DomainError) return failed(reason.code, reason.message, { retry: 'final' });
  throw reason;
}
