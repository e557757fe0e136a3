import { DomainError } from '@lensforge/core';
import { withDbRetry } from '@lensforge/database';
import { type RunnableLens, atVersion, estimateTokens, newestAt, runnableLens } from '@lensforge/lenses';
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
import { chooseModel, modelById, priceUsage } from '@lensforge/models';
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
    const { versionId } = await readLens(work);
    const prompt = await promptOfLens(owner, { lensVersionId: versionId, params });
    const wish = { fundingSource: run.fundingSource ?? undefined, byokKeyRefId: run.byokKeyId ?? undefined };
    const key = await withDbRetry(() => byokKeyChoice(owner, wish));
    const sponsor = await withDbRetry(() => sponsorFor(owner, wish, lensId));
    const among = sponsor?.models ?? undefined;
    const model = await pickModel(work, {
      ...wish,
      ...restrictModels(key, { modelOverride: settings.model }),
      allowed: among,
    });
    const estimate = await promptCost(model, prompt.prompt, { images: prompt.images });
    const funding = decideFunding(owner, { request: wish, key, sponsor, model, estimate });
    const terms = toHoldTerms(model, await estimateTokens(prompt.prompt));
    const reserved = await reserveCredits(work, funding, terms);
    if (reserved.kind !== 'reserved') return { ...failureOfReservation(reserved, funding.hold), input };
    const byok = await parts.keys.openFor({ accountId: run.accountId, byokKeyId: funding.byokKeyId });
    const answer = await requestModel(
      parts,
      { ...prompt, modelId: model.id, byok, allowedModels: among, idempotencyKey: work.idempotencyKey },
      { signal: work.signal, beforeCall: work.beforeEffect, onDelta: work.addText },
    );
    const used = { modelCalls: 1, ...priceUsage(answer.model, answer.usage, { isFree: reserved.amount === 0 }) };
    return { kind: 'succeeded', output: { text: answer.text }, input, ...used, reserved: mayHold(work, reserved) };
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

async function pickModel(
  { run: { modelId }, settings, owner }: Work,
  wish: Parameters<typeof chooseModel>[1],
): ReturnType<typeof chooseModel> {
  const ofRun = modelId === null ? undefined : await withDbRetry(() => modelById(owner.db, modelId, wish));
  return ofRun ?? withDbRetry(() => chooseModel(owner.db, { modelOverride: settings.model, ...wish }));
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
