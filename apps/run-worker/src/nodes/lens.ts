import { DomainError } from '@lensforge/core';
import { estimateTokens, textOf } from '@lensforge/lenses';
import { imagesIn, priceUsage } from '@lensforge/models';
import { type Funding, type HoldTerms, type Reservation, promptCost, toHoldTerms } from '@lensforge/runs';
import type { LensSettings } from '@lensforge/workflows';
import { converseWithTools } from '../agents/lens-conversation.js';
import { requestModel } from '../engine/request-model.js';
import { RunFailure } from '../engine/run-failure.js';
import type { Failed } from '../engine/workflow/node-events.js';
import { type LensCall, type LensInput, isRunOfLens, readLensCall } from './lens-call.js';
import { type ExecuteNode, type NodeOutcome, type NodeWork, failed } from './node-type.js';

type Work = NodeWork<LensSettings>;

/** Requests an answer with the template of a lens, funded like the run; its estimated cost is reserved before. */
export const lens: ExecuteNode<LensSettings> = async (work) => {
  const input = readInput(work);
  try {
    const call = await readLensCall(work, input);
    return await (call.prompt.settings?.tools ? converseWithTools(work, call, input) : answerOnce(work, call, input));
  } catch (reason) {
    work.signal.throwIfAborted();
    return { ...toNodeFailure(reason), input };
  }
};

function readInput(work: Work): LensInput {
  const { settings, resolve, run } = work;
  const { lensId } = settings;
  if (isRunOfLens(work)) return { lensId, params: run.inputs };
  return { lensId, params: { ...(resolve(settings.params) as Record<string, unknown>), ...work.input } };
}

async function answerOnce(work: Work, call: LensCall, input: LensInput): Promise<NodeOutcome> {
  const { parts, run } = work;
  const { prompt, outputSchema, sampling, model, allowedModels, fundingFor } = call;
  const text = textOf(prompt);
  const funding = fundingFor(await promptCost(model, text, { sampling, images: imagesIn(prompt) }));
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
      allowedModels,
      idempotencyKey: work.idempotencyKey,
      cause: run.cause,
    },
    { signal: work.signal, beforeCall: work.beforeEffect, onDelta: work.addText },
  );
  const used = { modelCalls: 1, ...priceUsage(answer.model, answer.usage, { isFree: reserved.amount === 0 }) };
  const output = { text: answer.text, ...(answer.json && { json: answer.json.value }) };
  return { kind: 'succeeded', output, input, ...used, reserved: mayHold(work, reserved) };
}

const reserveCredits = (
  { reserve }: Work,
  { hold: amount, payerAccountId, limits }: Funding,
  terms: HoldTerms,
): Promise<Reservation> =>
  amount > 0 ? reserve({ amount, payerAccountId, limits, terms }) : Promise.resolve({ kind: 'reserved', amount: 0 });

/** True when the node may hold credits: an earlier attempt may have reserved some. */
const mayHold = ({ node }: Work, { amount }: { amount: number }): boolean => amount > 0 || node.attempt > 1;

function failureOfReservation(reservation: Exclude<Reservation, { kind: 'reserved' }>, needed: number): Failed {
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
