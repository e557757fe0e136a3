import { readSystemPrompt } from '@lensforge/battles';
import { withDbRetry } from '@lensforge/database';
import { conversationIn, embeddedTextsIn } from '@lensforge/runs';
import type { RunAttempt } from './attempt.js';
import type { DeltaStream } from './delta-batcher.js';
import { executeEmbedding } from './embedding.js';
import { type AnswerParts, requestAnswer } from './request-answer.js';
import { RunFailure } from './run-failure.js';
import type { RunOutput } from './run-output.js';

/**
 * Executes a prompt run: requests an answer to the conversation in its parameters, with the instructions of the agent that they
 * name.
 */
export async function executePrompt(parts: AnswerParts, attempt: RunAttempt, deltas: DeltaStream): Promise<RunOutput> {
  const { instructedBy, hasOneModel } = attempt.run.params;
  const embedded = embeddedTextsIn(attempt.run.params);
  if (embedded) return executeEmbedding(parts, attempt, embedded);
  const conversation = conversationIn(attempt.run.params);
  if (!conversation) throw new RunFailure('INTERNAL', 'The run has no prompt');
  const { prompt, messages, tools, toolChoice, images = [] } = conversation;
  const instructions =
    typeof instructedBy === 'string'
      ? await withDbRetry(() => readSystemPrompt(parts.ctx, instructedBy, attempt.run.cause))
      : undefined;
  const system = [instructions, conversation.system].filter(Boolean).join('\n\n') || undefined;
  return requestAnswer(parts, attempt, deltas, {
    prompt,
    system,
    messages,
    tools,
    toolChoice,
    images,
    ...(hasOneModel === true && { allowedModels: [] }),
  });
}
