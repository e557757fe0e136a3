import { createHash } from 'node:crypto';
import type { Context } from '@lensforge/core';
import { type ChosenModel, type PromptImage, type TokenUsage, toModelName, type Message } from '@lensforge/models';
import { readJson } from './read-json.js';
import { throughRecording } from './recorded-calls.js';
import type { ModelAnswer, ModelRequest, ModelRequestOptions } from './model-request.js';

/** The parts of an answer that a recording keeps. */
type KeptAnswer = Pick<ModelAnswer, 'text' | 'toolCalls' | 'finishReason'>;

export interface RecordedRequest {
  model: ChosenModel;
  request: ModelRequest;
  options: ModelRequestOptions;
  live: (options: ModelRequestOptions) => Promise<ModelAnswer>;
}

/**
 * Answers a request of a run whose calls are recorded or replayed. The text is passed on when it is recorded, since of two
 * answers to the same request the first one counts. A recorded answer has used no tokens now, unless a lost attempt of this very
 * request has paid for it.
 */
export async function answerRecorded(
  ctx: Context,
  { model, request, options, live }: RecordedRequest,
): Promise<ModelAnswer> {
  const { onDelta, onToolInput: _onToolInput, ...silent } = options;
  let answered: ModelAnswer | undefined;
  const { value, recordedAt, receipt } = await throughRecording<KeptAnswer>(
    ctx,
    request.cause,
    { kind: 'model', place: '', request: describeRequest(model, request) },
    {
      make: async () => {
        answered = await live(silent);
        const { text, toolCalls, finishReason } = answered;
        return { text, toolCalls, ...(finishReason && { finishReason }) };
      },
      receipt: () => answered && { madeBy: request.idempotencyKey, usage: answered.usage },
    },
  );
  const ownUsage = receipt?.madeBy === request.idempotencyKey ? (receipt.usage as TokenUsage) : undefined;
  if (recordedAt) {
    options.beforeCall?.();
    if (!ownUsage) await options.onRecalled?.(recordedAt);
  }
  const { text, toolCalls, finishReason } = value;
  onDelta?.(text);
  const { outputSchema, unchecked } = request;
  const json = outputSchema && !unchecked && { value: readJson(text, outputSchema) };
  const { usage = ownUsage ?? { input: 0, output: 0 }, model: answeredBy = model } = answered ?? {};
  return { text, toolCalls, ...(json && { json }), usage, finishReason, model: answeredBy };
}

/** Everything that decides the answer to a request. */
const describeRequest = (
  model: ChosenModel,
  { system, prompt, messages, tools, toolChoice, images, outputSchema, sampling, settings }: ModelRequest,
): Record<string, unknown> => ({
  model: toModelName(model),
  ...(system !== undefined && { system }),
  prompt,
  ...(messages && messages.length > 0 && { messages: messages.map(withHashedImages) }),
  ...(tools && tools.length > 0 && { tools }),
  ...(toolChoice !== undefined && { toolChoice }),
  ...(images && images.length > 0 && { images: images.map(toImageHash) }),
  ...(outputSchema && { outputSchema }),
  ...(sampling && { sampling }),
  ...(settings?.providers && { settings: settings.providers }),
});

const toImageHash = (image: PromptImage): string => createHash('sha256').update(JSON.stringify(image)).digest('hex');

const withHashedImages = (message: Message): object =>
  'images' in message ? { ...message, images: message.images.map(toImageHash) } : message;
