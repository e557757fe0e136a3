import { newId } from '@lensforge/core';
import { withDbRetry } from '@lensforge/database';
import { estimateTokens } from '@lensforge/lenses';
import { type ChosenModel, type TokenUsage, modelById, priceUsage, roughTokens, toModelName } from '@lensforge/models';
import { type EmbeddedTexts, packVector } from '@lensforge/runs';
import type { Embeddings, Provider } from '../providers/provider.js';
import type { RunAttempt } from './attempt.js';
import { callWithinLimits } from './call-within-limits.js';
import { inModelSpan } from './genai-spans.js';
import { throughRecording } from './recorded-calls.js';
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
  const { run } = attempt;
  if (run.modelId === null) throw new RunFailure('INTERNAL', 'The run has no model');
  const found = await withDbRetry(() => modelById(parts.ctx.db, run.modelId ?? ''));
  if (!found) throw new RunFailure('PROVIDER_UNKNOWN', 'The model of this run is no longer in the catalogue');
  const model = { ...found, alternatives: [] };
  const madeBy = `${run.id}:${run.kind}`;
  let usage: TokenUsage = { input: 0, output: 0 };
  const { value, recordedAt, receipt } = await throughRecording<{ embeddings: string[] }>(
    parts.ctx,
    run.cause,
    { kind: 'model', place: '', request: { model: toModelName(model), embed: embedded } },
    {
      make: async () => {
        const answer = await askForEmbeddings(parts, attempt, { model, embedded, idempotencyKey: madeBy });
        usage = { input: answer.tokens ?? (await estimateTokens(embedded.texts.join('\n'))), output: 0 };
        return { embeddings: answer.vectors.map(packVector) };
      },
      receipt: () => ({ madeBy, usage }),
    },
  );
  const isOwn = receipt?.madeBy === madeBy;
  if (recordedAt && !isOwn) await parts.onRecalled(recordedAt);
  const used = recordedAt && isOwn ? (receipt.usage as TokenUsage) : usage;
  return {
    artifacts: [{ id: newId(), kind: 'json', contentText: null, contentJson: value, isPrimaryOutput: true }],
    ...priceUsage(model, used, { isFree: run.hold === 0 }),
    answeredBy: null,
    finishReason: 'stop',
  };
}

interface EmbeddingCall {
  model: ChosenModel;
  embedded: EmbeddedTexts;
  idempotencyKey: string;
}

/** Calls the provider of the model; the vectors of another model could not stand in for its own. */
async function askForEmbeddings(
  parts: AnswerParts,
  attempt: RunAttempt,
  { model, embedded, idempotencyKey }: EmbeddingCall,
): Promise<Embeddings> {
  const { run, signal } = attempt;
  const byok = await parts.keys.openFor(run);
  const [candidate] = listCandidates(parts.providers, model, byok);
  if (!candidate) throw providerMissing(parts.providers, model);
  const { provider, account } = candidate;
  if (!makesEmbeddings(provider))
    throw new RunFailure('PROVIDER_UNKNOWN', `The provider ${provider.key} makes no embeddings`);
  const tokens = embedded.texts.reduce((sum, text) => sum + roughTokens(text), 0);
  const limits = { tokens, signal, beforeCall: () => attempt.throwIfStale() };
  const call = async (): Promise<Embeddings & { usage: TokenUsage | undefined }> => {
    const made = await provider.embed({ model: model.key, ...embedded, idempotencyKey, ...byok }, signal);
    return { ...made, usage: made.tokens === undefined ? undefined : { input: made.tokens, output: 0 } };
  };
  try {
    const answer = await callWithinLimits(parts.providers, candidate, limits, () =>
      inModelSpan(provider.key, { model: model.key, operation: 'embeddings' }, call),
    );
    if (answer.rates) parts.providers.limiter.update(account, answer.rates);
    requireSize(answer);
    return answer;
  } catch (reason) {
    signal.throwIfAborted();
    throw reason instanceof RunFailure ? reason : failureOfProvider(provider.key, reason);
  }
}

const makesEmbeddings = (provider: Provider): provider is Provider & Required<Pick<Provider, 'embed'>> =>
  'embed' in provider;

function requireSize({ vectors }: Embeddings): void {
  const numbers = vectors.reduce((sum, vector) => sum + vector.length, 0);
  if (numbers > maxNumbers)
    throw new RunFailure('OUTPUT_TOO_LARGE', `The embeddings have ${numbers} numbers; the limit is ${maxNumbers}`);
}
