import { readSystemPrompt } from '@lensforge/battles';
import { withDbRetry } from '@lensforge/database';
import type { RunAttempt } from './attempt.js';
import type { DeltaStream } from './delta-batcher.js';
import { type AnswerParts, requestAnswer } from './request-answer.js';
import { RunFailure } from './run-failure.js';
import type { RunOutput } from './run-output.js';

/** Executes a prompt run: requests an answer to the text in its parameters, with the instructions of the agent that they name. */
export async function executePrompt(parts: AnswerParts, attempt: RunAttempt, deltas: DeltaStream): Promise<RunOutput> {
  const { prompt, instructedBy, hasOneModel } = attempt.run.params;
  const models = hasOneModel === true && { allowedModels: [] };
  if (typeof prompt !== 'string') throw new RunFailure('INTERNAL', 'The run has no prompt');
  if (typeof instructedBy !== 'string') return requestAnswer(parts, attempt, deltas, { prompt, ...models });
  const system = await withDbRetry(() => readSystemPrompt(parts.ctx, instructedBy));
  return requestAnswer(parts, attempt, deltas, { prompt, system, ...models });
}
