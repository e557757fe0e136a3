import { withDbRetry } from '@lensforge/database';
import { type ClaimedRun, sponsoredModels } from '@lensforge/runs';
import type { RunAttempt } from './attempt.js';
import { contextOfRun } from './context-of-run.js';
import type { DeltaStream } from './delta-batcher.js';
import { type AnswerParts, requestAnswer } from './request-answer.js';
import { promptOfLens } from './request-model.js';
import { RunFailure } from './run-failure.js';
import type { RunOutput } from './run-output.js';

/**
 * Executes a lens run: resolves the pinned template with the parameters of the run and requests an answer. Undefined for a lens
 * with tools, whose conversation is a node.
 */
export async function executeLens(
  parts: AnswerParts,
  attempt: RunAttempt,
  deltas: DeltaStream,
): Promise<RunOutput | undefined> {
  const { run } = attempt;
  const prompt = await promptOfLens(parts.ctx, pinnedVersion(run));
  if (prompt.settings?.tools) return undefined;
  const ctx = contextOfRun(parts.ctx, run);
  const allowedModels = await withDbRetry(() => sponsoredModels(ctx, run.sponsoredLensId));
  return requestAnswer(parts, attempt, deltas, { ...prompt, allowedModels });
}

function pinnedVersion({ lensVersionId, params }: ClaimedRun): { lensVersionId: string; params: ClaimedRun['params'] } {
  if (lensVersionId !== null) return { lensVersionId, params };
  throw new RunFailure('INTERNAL', 'The run has no lens version');
}
