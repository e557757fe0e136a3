import type { RunAttempt } from './attempt.js';
import type { DeltaStream } from './delta-batcher.js';
import type { AnswerParts } from './request-answer.js';
import { requestAnswer } from './request-answer.js';
import { RunFailure } from './run-failure.js';
import type { RunOutput } from './run-output.js';

/** Executes a prompt run: requests an answer to the text in its parameters. */
export async function executePrompt(parts: AnswerParts, attempt: RunAttempt, deltas: DeltaStream): Promise<RunOutput> {
  const { prompt } = attempt.run.params;
  if (typeof prompt !== 'string') throw new RunFailure('INTERNAL', 'The run has no prompt');
  return requestAnswer(parts, attempt, deltas, { prompt });
}
