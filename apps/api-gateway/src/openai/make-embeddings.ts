import { type Context, DomainError } from '@lensforge/core';
import { acceptEmbeddingRun, readRun, unpackVector } from '@lensforge/runs';
import type { CreateEmbeddingResponse } from 'openai/resources/embeddings';
import { throwRenamed } from './rename-faults.js';
import { type EmbeddingsRequest, refuse } from './requests.js';
import { withoutUndefined } from './without-undefined.js';

const maxTexts = 2048;

/** The texts of a request; lists of tokens belong to the tokenizer of one model and are refused. */
export function readTexts(input: unknown): string[] {
  const texts: unknown[] = Array.isArray(input) ? input : [input];
  const isText = (text: unknown): text is string => typeof text === 'string' && text !== '';
  if (texts.length === 0 || texts.length > maxTexts || !texts.every(isText))
    throw refuse('input', `must be a text or 1 to ${maxTexts} texts, none of them empty; tokens are not taken`);
  return texts;
}

/** Starts the run that makes the embeddings. */
export async function startEmbeddings(
  ctx: Context,
  { model, dimensions, lensforge = {} }: EmbeddingsRequest,
  { texts, timeoutMs, idempotencyKey }: { texts: string[]; timeoutMs: number; idempotencyKey: string | undefined },
): Promise<string> {
  const { params, modelOverride, stickyKey, concurrencyKey, concurrencyStrategy, ...options } = lensforge;
  for (const [name, value] of Object.entries({ params, modelOverride, stickyKey, concurrencyKey, concurrencyStrategy }))
    if (value !== undefined) throw refuse(`lensforge.${name}`, 'is for answers');
  const { runId } = await acceptEmbeddingRun(ctx, {
    ...options,
    ...withoutUndefined({ dimensions, idempotencyKey }),
    texts,
    modelKey: model,
    timeoutMs,
    cause: { openai: { api: 'embeddings', model } },
    scope: 'lenses:read',
  }).catch(throwRenamed);
  return runId;
}

/** The embeddings of a run that has succeeded. */
export async function readEmbeddings(
  ctx: Context,
  runId: string,
  { model, encoding_format: format = 'float' }: EmbeddingsRequest,
): Promise<CreateEmbeddingResponse> {
  const { artifacts, tokenInput } = await readRun(ctx, runId);
  const { embeddings } = (artifacts[0]?.contentJson ?? {}) as { embeddings?: string[] };
  if (!embeddings) throw new DomainError('NOT_FOUND', `The run ${runId} has no embeddings any more`);
  const tokens = tokenInput ?? 0;
  return {
    object: 'list',
    model,
    data: embeddings.map((packed, index) => ({
      object: 'embedding',
      index,
      // The types of OpenAI leave out the texts that base64 asks for.
      embedding: format === 'base64' ? (packed as unknown as number[]) : unpackVector(packed),
    })),
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  };
}
