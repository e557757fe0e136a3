import { newId } from '@lensforge/core';
import { withDbRetry } from '@lensforge/database';
import { estimateTokens } from '@lensforge/lenses';
import { modelById, priceUsage, roughTokens } from '@lensforge/models';
import { type EmbeddedTexts, packVector } from '@lensforge/runs';
import type { Embeddings, Provider } from '../providers/provider.js';
import type { RunAttempt } from './attempt.js';
import { callWithinLimits } from './call-within-limits.js';
import { inModelSpan } from './model-span.js';
import type { AnswerParts } from './request-answer.js';
import { listCandidates, providerMissing } from './request-model.js';
import { RunFailure, failureOfProvider } from './run-failure.js';
import type { RunOutput } from './run-output.js';

const maxNumbers = 4_000_000;

/** Executes a run of embeddings: its output has a vector for each text. */
export async function executeEmbedding(
  parts: AnswerParts,
  attempt: RunAttempt,
  embedded: EmbeddedTexts,
): Promise<RunOutput> {
  const { run, signal } = attempt;
  const { texts } = embedded;
  if (run.modelId === null) throw new RunFailure('INTERNAL', 'The run has no model');
  const found = await withDbRetry(() => modelById(parts.ctx.db, run.modelId ?? ''));
  if (!found) throw new RunFailure('PROVIDER_UNKNOWN', 'The model of this run is no longer in the catalogue');
  const model = { ...found, alternatives: [] };
  const byok = await parts.keys.openFor(run);
  const [candidate] = listCandidates(parts.providers, model, byok);
  if (!candidate) throw providerMissing(parts.providers, model);
  const { provider, account } = candidate;
  if (!makesEmbeddings(provider))
    throw new RunFailure('PROVIDER_UNKNOWN', `The provider ${provider.key} makes no embeddings`);
  const tokens = texts.reduce((sum, text) => sum + roughTokens(text), 0);
  const request = { model: model.key, ...embedded, idempotencyKey: `${run.id}:${run.kind}`, ...byok };
  const answer = await callWithinLimits(
    parts.providers,
    candidate,
    { tokens, signal, beforeCall: () => attempt.throwIfStale() },
    () =>
      inModelSpan(provider.key, { model: model.key, operation: 'embeddings' }, async () => {
        const made = await provider.embed(request, signal);
        return { ...made, usage: made.tokens === undefined ? undefined : { input: made.tokens, output: 0 } };
      }),
  ).catch((reason: unknown) => {
    signal.throwIfAborted();
    throw reason instanceof RunFailure ? reason : failureOfProvider(provider.key, reason);
  });
  if (answer.rates) parts.providers.limiter.update(account, answer.rates);
  requireSize(answer);
  const input = answer.tokens ?? (await estimateTokens(texts.join('\n')));
  return {
    artifacts: [
      {
        id: newId(),
        kind: 'json',
        contentText: null,
        contentJson: { embeddings: answer.vectors.map(packVector) },
        isPrimaryOutput: true,
      },
    ],
    ...priceUsage(model, { input, output: 0 }, { isFree: run.hold === 0 }),
    answeredBy: null,
    finishReason: 'stop',
  };
}

const makesEmbeddings = (provider: Provider): provider is Provider & Required<Pick<Provider, 'embed'>> =>
  'embed' in provider;

function requireSize({ vectors }: Embeddings): void {
  const numbers = vectors.reduce((sum, vector) => sum + vector.length, 0);
  if (numbers > maxNumbers)
    throw new RunFailure('OUTPUT_TOO_LARGE', `The embeddings have ${numbers} numbers; the limit is ${maxNumbers}`);
}
