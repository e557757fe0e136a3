import { withDbRetry } from '@lensforge/database';
import type { ClaimedRun } from '@lensforge/runs';
import { sponsoredModels } from '@lensforge/runs';
import type { ModelAnswer, ModelRequestParts, ModelRequestOptions } from './request-model.js';
import { requestModel, promptOfLens } from './request-model.js';
import type { RunAttempt } from './attempt.js';
import { contextOfRun } from './context-of-run.js';
import type { DeltaStream } from './delta-batcher.js';
import type { ByokLeases } from '../byok-leases.js';
import { RunFailure } from './run-failure.js';

export interface LensParts extends ModelRequestParts {
  onFallback: NonNullable<ModelRequestOptions['onFallback']>;
  keys: ByokLeases;
}

/** The node in the output events of a lens run. */
export const lensNode = { nodeId: 'lens' };

/** Executes a lens run: resolves the pinned template with the parameters of the run and requests an answer. */
export async function executeLens(parts: LensParts, attempt: RunAttempt, deltas: DeltaStream): Promise<ModelAnswer> {
  const { run, signal } = attempt;
  const { modelId, outputSchema, sampling } = run;
  const prompt = await promptOfLens(parts.ctx, pinnedVersion(run));
  const byok = await parts.keys.openFor(run);
  const ctx = contextOfRun(parts.ctx, run);
  const allowedModels = await withDbRetry(() => sponsoredModels(ctx, run.sponsoredLensId));
  const request = {
    ...prompt,
    modelId,
    outputSchema,
    sampling,
    byok,
    allowedModels,
    idempotencyKey: `${run.id}:${lensNode.nodeId}`,
  };
  return requestModel(parts, request, {
    signal,
    beforeCall: () => attempt.throwIfStale(),
    onDelta: (text) => deltas.add(text),
    onFallback: parts.onFallback,
  });
}

function pinnedVersion({ lensVersionId, params }: ClaimedRun): { lensVersionId: string; params: ClaimedRun['params'] } {
  if (lensVersionId !== null) return { lensVersionId, params };
  throw new RunFailure('INTERNAL', 'The run has no lens version');
}
