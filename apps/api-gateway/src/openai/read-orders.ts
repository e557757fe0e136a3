import { InvalidInput, type Sampling } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import type { Response } from 'openai/resources/responses/responses';
import { type Dialog, readInputItems, readMessages } from './dialog.js';
import { type Target, findPrompt, findTarget } from './find-target.js';
import { readPrevious } from './previous.js';
import { readFormat, readMetadata, readStop } from './read-format.js';
import { readTools } from './read-tools.js';
import { type ChatRequest, type ResponseRequest, refuse } from './requests.js';
import type { ResponseEcho } from './response-form.js';
import type { AnswerOrder } from './start-answer.js';
import { readCallId } from './tool-call-ids.js';
import { withoutUndefined } from './without-undefined.js';

/** The members that both forms of a request have. */
type Common = Pick<AnswerOrder, 'options' | 'stickyKey' | 'idempotencyKey' | 'tools' | 'metadata' | 'params'>;

function readCommon(request: ChatRequest | ResponseRequest, idempotencyKey: string | undefined): Common {
  const { params, metadata } = readMetadata(request.metadata);
  return {
    options: request.lensforge,
    stickyKey: request.user ?? request.safety_identifier,
    idempotencyKey,
    tools: readTools(request.tools, request.tool_choice),
    metadata,
    params,
  };
}

function orUndefined(sampling: Sampling): Sampling | undefined {
  return Object.keys(sampling).length > 0 ? sampling : undefined;
}

/** Reads a request for a chat completion. */
export async function readChatOrder(
  ctx: Context,
  request: ChatRequest,
  idempotencyKey: string | undefined,
): Promise<AnswerOrder> {
  requireSupported(request);
  const { model, temperature, top_p: topP, seed, reasoning_effort: reasoningEffort } = request;
  const maxOutputTokens = request.max_completion_tokens ?? request.max_tokens;
  const stop = readStop(request.stop);
  const dialog = readMessages(request.messages);
  return {
    ...readCommon(request, idempotencyKey),
    target: await findTarget(ctx, model),
    dialog,
    path: 'messages',
    sampling: orUndefined(withoutUndefined({ temperature, topP, seed, reasoningEffort, maxOutputTokens, stop })),
    outputSchema: readFormat(request.response_format, 'response_format'),
    batchId: undefined,
    request: { api: 'chat', model },
  };
}

/** Refuses what would change the answer and cannot be done. */
function requireSupported(request: ChatRequest): void {
  const { logprobs, logit_bias: bias, modalities = ['text'], frequency_penalty, presence_penalty } = request;
  if (logprobs !== undefined && logprobs !== false) throw refuse('logprobs', 'must be false: providers differ in them');
  if (bias !== undefined && JSON.stringify(bias) !== '{}') throw refuse('logit_bias', 'must be left out');
  for (const [name, penalty] of Object.entries({ frequency_penalty, presence_penalty }))
    if (penalty !== undefined && penalty !== 0) throw refuse(name, 'must be 0 or left out: not all models know it');
  if (modalities.some((each) => each !== 'text')) throw refuse('modalities', 'must be text');
}

/** Reads a request for a response. */
export async function readResponseOrder(
  ctx: Context,
  request: ResponseRequest,
  idempotencyKey: string | undefined,
): Promise<AnswerOrder> {
  const { prompt, instructions, previous_response_id: previousId, temperature, top_p: topP } = request;
  const { reasoning, max_output_tokens: maxOutputTokens } = request;
  const common = readCommon(request, idempotencyKey);
  const target = await targetOf(ctx, request);
  const input = request.input === undefined ? { system: [], turns: [] } : readInputItems(request.input);
  const dialog: Dialog = {
    system: [...(instructions === undefined ? [] : [instructions]), ...input.system],
    turns: [
      ...(previousId === undefined || isForWaiting(input) ? [] : await readPrevious(ctx, previousId)),
      ...input.turns,
    ],
  };
  const model = request.model ?? prompt?.id ?? '';
  const last = input.turns.at(-1);
  return {
    ...common,
    params: prompt?.variables ? readVariables(prompt.variables) : common.params,
    target,
    dialog,
    path: 'input',
    sampling: orUndefined(withoutUndefined({ temperature, topP, maxOutputTokens, reasoningEffort: reasoning?.effort })),
    outputSchema: readFormat(request.text?.format, 'text.format'),
    batchId: undefined,
    request: withoutUndefined({
      api: 'responses',
      model,
      background: request.background ?? false,
      instructions,
      previousId,
      prompt: prompt && ({ ...prompt } as NonNullable<Response['prompt']>),
      format: request.text?.format as ResponseEcho['format'],
      said: last?.role === 'user' ? last.text : undefined,
    } satisfies ResponseEcho),
  };
}

/** True for results of a run that waits for them: they continue that run. */
const isForWaiting = ({ turns }: Dialog): boolean => {
  const last = turns.at(-1);
  return last?.role === 'tool' && last.results.some(({ callId }) => readCallId(callId)?.kind === 'wait');
};

async function targetOf(ctx: Context, { model, prompt }: ResponseRequest): Promise<Target> {
  if (prompt) return findPrompt(ctx, prompt.id, prompt.version);
  if (model === undefined) throw refuse('model', 'is required without prompt');
  return findTarget(ctx, model);
}

/** Variables are texts, or parts with a text. */
function readVariables(variables: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(variables).map(([name, value]) => {
      const isPart = typeof value === 'object' && value !== null && 'type' in value;
      if (!isPart) return [name, value];
      if (value.type === 'input_text' && 'text' in value) return [name, value.text];
      throw refuse(`prompt.variables.${name}`, 'must be a text, or {"image": {"mediaType", "data" or "url"}}');
    }),
  );
}

/** The header with the idempotency key. */
export function readIdempotencyKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  if (typeof header === 'string' && header.length >= 1 && header.length <= 255) return header;
  throw new InvalidInput([{ path: 'Idempotency-Key', message: 'must have 1 to 255 characters' }]);
}
