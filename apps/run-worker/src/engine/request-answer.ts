import type { ByokLeases } from '../byok-leases.js';
import type { RunAttempt } from './attempt.js';
import type { DeltaStream } from './delta-batcher.js';
import type { ModelRequest, ModelRequestOptions, ModelRequestParts } from './model-request.js';
import { requestModel } from './request-model.js';
import { RunFailure } from './run-failure.js';
import { type RunOutput, toRunOutput } from './run-output.js';

export interface AnswerParts extends ModelRequestParts {
  onFallback: NonNullable<ModelRequestOptions['onFallback']>;
  onRecalled: NonNullable<ModelRequestOptions['onRecalled']>;
  keys: ByokLeases;
}

/** Requests the answer of a lens or prompt run from its model. */
export async function requestAnswer(
  parts: AnswerParts,
  attempt: RunAttempt,
  deltas: DeltaStream,
  prompt: Pick<
    ModelRequest,
    'prompt' | 'stableLength' | 'system' | 'messages' | 'tools' | 'toolChoice' | 'images' | 'settings' | 'allowedModels'
  >,
): Promise<RunOutput> {
  const { run, signal } = attempt;
  const { modelId, outputSchema, sampling } = run;
  if (modelId === null) throw new RunFailure('INTERNAL', 'The run has no model');
  const byok = await parts.keys.openFor(run);
  const request = {
    ...prompt,
    modelId,
    outputSchema,
    sampling,
    byok,
    idempotencyKey: `${run.id}:${run.kind}`,
    runId: run.id,
    cause: run.cause,
  };
  const answer = await requestModel(parts, request, {
    signal,
    beforeCall: () => attempt.throwIfStale(),
    onDelta: (text) => deltas.add(text),
    onOutput: (used) => (attempt.used = used),
    onFallback: parts.onFallback,
    onRecalled: parts.onRecalled,
  });
  return toRunOutput(run, answer);
}
