import { type AskJudge, type JudgeAnswer, costOfRequest, maxAnswerTokens } from '@lensforge/judges';
import { type Model, priceUsage } from '@lensforge/models';
import type { RunAttempt } from '../engine/attempt.js';
import { requestModel } from '../engine/request-model.js';
import { type RunErrorCode, RunFailure } from '../engine/run-failure.js';
import type { WorkerParts } from '../engine/worker-parts.js';

const nothingUsed = { usage: { input: 0, output: 0 }, cost: 0 };
const usedUp: JudgeAnswer = { unpaid: 'the credits of this judging are used up.', ...nothingUsed };

export interface JudgeModel {
  model: Model;
  /** The credits that the run may still cost. */
  left: number;
}

/**
 * Requests of a judging run to its model. Fallbacks are not requested, because one model judges all texts. Requests whose
 * expected cost exceeds the rest of the credits are refused.
 */
export async function askModel(
  parts: WorkerParts,
  attempt: RunAttempt,
  { model, left: credits }: JudgeModel,
): Promise<AskJudge> {
  const { signal } = attempt;
  const byok = await parts.keys.openFor(attempt.run);
  const sampling = {
    maxOutputTokens: maxAnswerTokens,
    ...(model.capabilities.includes('sampling') && { temperature: 0 }),
  };
  let left = credits;
  return async ({ prompt, schema: outputSchema, idempotencyKey }) => {
    const expected = byok ? 0 : costOfRequest(model, Buffer.byteLength(prompt));
    if (expected > left) return usedUp;
    left -= expected;
    let cost = 0;
    try {
      const { id: modelId } = model;
      const request = {
        modelId,
        prompt,
        outputSchema,
        unchecked: true,
        sampling,
        byok,
        allowedModels: [],
        idempotencyKey,
      };
      const { text, usage } = await requestModel(parts, request, { signal, beforeCall: () => attempt.throwIfStale() });
      // Requests at the same time may cost more than expected, but never more than is left.
      const priced = priceUsage(model, usage, { isFree: byok !== undefined });
      cost = Math.min(priced.cost, left + expected);
      return { text, usage, tokenDetails: priced.tokenDetails, cost };
    } catch (reason) {
      if (reason instanceof RunFailure && reason.code === 'PROVIDER_FILTERED') {
        return { refusal: reason.message, ...nothingUsed };
      }
      throw reason instanceof RunFailure ? withoutQuotes(reason) : reason;
    } finally {
      left += expected - cost;
    }
  };
}

const withheld: Readonly<Partial<Record<RunErrorCode, string>>> = {
  PROVIDER_REFUSED: 'The provider of the judge refused the request',
  PROVIDER_FAILED: 'The answer of the provider of the judge could not be read',
};

/** A failure without the message of the provider, which may quote a text that the owner of the run must not see yet. */
function withoutQuotes(failure: RunFailure): RunFailure {
  const { code, retry } = failure;
  const message = withheld[code];
  return message === undefined ? failure : new RunFailure(code, message, { retry, cause: failure });
}
