import { type LensSettings, type ModelCapability, readBatchPolicy, readCallPolicy } from '@lensforge/contracts';
import { isDeepStrictEqual } from 'node:util';
import { type Context, requiredMessage } from '@lensforge/core';
import { withDbRetry } from '@lensforge/database';
import { type Turn, estimateMaxTokens, estimateTokens, versionById } from '@lensforge/lenses';
import {
  type ChosenModel,
  type Message,
  type PromptImage,
  type TokenUsage,
  extractImages,
  getMaxOutputTokens,
  imagesIn,
  listTexts,
  modelById,
  needsSampling,
  roughTokens,
  toModelName,
} from '@lensforge/models';
import type { ProviderPart, ProviderRequest } from '../providers/provider.js';
import { type ByokAccess, type Providers, cooldownName, rateLimitKey } from '../providers/providers.js';
import type {
  AnsweringModel,
  ModelAnswer,
  ModelRequest,
  ModelRequestOptions,
  ModelRequestParts,
  Used,
} from './model-request.js';
import { type Candidate, callWithinLimits } from './call-within-limits.js';
import { type LensOfRequest, inModelSpan } from './genai-spans.js';
import { answerRecorded } from './answer-recorded.js';
import { readJson } from './read-json.js';
import { type ReadAnswer, readStream } from './read-stream.js';
import { requestInBatch } from './request-in-batch.js';
import { RunFailure, failureOfProvider } from './run-failure.js';

/** The conversation of a lens, and its settings for each provider. */
export interface RequestOfLens extends Pick<ModelRequest, 'system' | 'prompt' | 'stableLength'> {
  messages?: TextMessage[];
  images: PromptImage[];
  settings: LensSettings | null;
  lens: LensOfRequest;
}

type TextMessage = Extract<Message, { text: string }>;

const toMessage = ({ role, text, images = [] }: Turn): TextMessage =>
  role === 'user' ? { role, text, ...(images.length > 0 && { images }) } : { role, text, toolCalls: [] };

/** Resolves the template of a lens version with parameters, whose images go with the last message of the user. */
export async function promptOfLens(
  ctx: Context,
  { lensVersionId, params: given }: { lensVersionId: string; params: Readonly<Record<string, unknown>> },
): Promise<RequestOfLens> {
  const version = await withDbRetry(() => versionById(ctx.db, lensVersionId));
  const { params, images } = extractImages(version.toValues(given));
  const resolved = version.resolve(params);
  if ('missing' in resolved) {
    throw new RunFailure('MISSING_PARAMS', requiredMessage(resolved.missing.map((label) => `params.${label}`)));
  }
  const { settings } = version;
  const { messages = [], images: ofPrompt = [], ...opening } = resolved;
  const last = messages.findLastIndex(({ role }) => role === 'user');
  return {
    ...opening,
    images: last < 0 ? [...ofPrompt, ...images] : [...ofPrompt],
    ...(messages.length > 0 && {
      messages: messages.map((turn, index) =>
        toMessage(index === last ? { ...turn, images: [...(turn.images ?? []), ...images] } : turn),
      ),
    }),
    settings,
    lens: { id: version.lensId, semver: version.semver },
  };
}

/**
 * Requests an answer from a model, or from its fallbacks while no text has arrived. Throws RunFailure or the reason of the
 * signal; it does not retry.
 */
export async function requestModel(
  parts: ModelRequestParts,
  request: ModelRequest,
  options: ModelRequestOptions,
): Promise<ModelAnswer> {
  const { modelId, byok, allowedModels, settings } = request;
  const fundingSource = byok && 'user_byok_cloud';
  const model = await withDbRetry(() =>
    modelById(parts.ctx.db, modelId, {
      fundingSource,
      needs: listNeeds(request),
      allowed: allowedModels,
      preferred: settings?.models,
    }),
  );
  if (!model) throw new RunFailure('PROVIDER_UNKNOWN', 'The model of this run is no longer in the catalogue');
  const direct = (options: ModelRequestOptions): Promise<ModelAnswer> =>
    requestLive(parts, { model, request, options });
  const live = isForBatch(request)
    ? (options: ModelRequestOptions): Promise<ModelAnswer> =>
        requestInBatch(parts, { model, request, options, call: toCall(model, request), live: direct })
    : direct;
  return readCallPolicy(request.cause) ? answerRecorded(parts.ctx, { model, request, options, live }) : live(options);
}

const isForBatch = ({ cause, runId }: ModelRequest): boolean =>
  runId !== undefined && readBatchPolicy(cause) !== undefined;

interface Requested {
  model: ChosenModel;
  request: ModelRequest;
  options: ModelRequestOptions;
}

async function requestLive(parts: ModelRequestParts, { model, request, options }: Requested): Promise<ModelAnswer> {
  const { byok } = request;
  const candidates = listCandidates(parts.providers, model, byok);
  const failures: RunFailure[] = [];
  for (const [index, candidate] of candidates.entries()) {
    const received = { text: false };
    const onDelta = (text: string): void => {
      received.text = true;
      options.onDelta?.(text);
    };
    try {
      return await requestCandidate(parts.providers, candidate, request, { ...options, onDelta });
    } catch (reason) {
      options.signal.throwIfAborted();
      const failure = reason instanceof RunFailure ? reason : failureOfProvider(candidate.model.providerKey, reason);
      failures.push(failure);
      const next = candidates[index + 1];
      if (received.text || !failure.next) throw failure;
      if (!next) throw soonestRetry(failures);
      const tried = { failed: toModelName(candidate.model), reason: failure.message, next: toModelName(next.model) };
      await options.onFallback?.(tried);
    }
  }
  throw providerMissing(parts.providers, model);
}

/** The failure can be retried when only the key is missing: another worker may have it. */
export const providerMissing = (providers: Providers, { providerKey }: AnsweringModel): RunFailure =>
  providers.get(providerKey)
    ? new RunFailure('PROVIDER_UNKNOWN', `This platform has no key for ${providerKey}`, { retry: {} })
    : new RunFailure('PROVIDER_UNKNOWN', `This platform has no provider ${providerKey}`);

/** The failure that can be retried first, or else the last one. */
function soonestRetry(failures: readonly RunFailure[]): RunFailure {
  const retryable = failures.filter(({ retry }) => retry);
  const [soonest] = retryable.sort((one, other) => (one.retry?.afterMs ?? 0) - (other.retry?.afterMs ?? 0));
  return soonest ?? (failures.at(-1) as RunFailure);
}

function listNeeds({ outputSchema, sampling, tools = [], ...request }: ModelRequest): ModelCapability[] {
  const needs: ModelCapability[] = [];
  const images = imagesIn(request);
  if (tools.length > 0) needs.push('tools');
  if (images.length > 0) needs.push('images');
  if (images.some((image) => 'url' in image)) needs.push('image_urls');
  if (outputSchema) needs.push('json');
  if (needsSampling(sampling)) needs.push('sampling');
  return needs;
}

/** The models that this process can call, without those in a cooldown unless all are. */
export function listCandidates(providers: Providers, model: ChosenModel, byok: ByokAccess | undefined): Candidate[] {
  const able = [model, ...model.alternatives].flatMap((each): Candidate[] => {
    const provider = providers.get(each.providerKey);
    if (!provider || (provider.keyless && !byok)) return [];
    const account = rateLimitKey(each.providerKey, byok);
    return [{ model: each, provider, account, name: cooldownName(account, each.key) }];
  });
  const available = able.filter(({ name }) => providers.cooldowns.isAvailable(name));
  return available.length > 0 ? available : able;
}

/** The request as the adapters of providers take it. */
const toCall = (model: AnsweringModel, request: ModelRequest): ProviderRequest => ({
  model: model.key,
  system: request.system,
  prompt: request.prompt,
  messages: request.messages,
  tools: request.tools,
  toolChoice: request.toolChoice,
  images: request.images,
  outputSchema: inOrder(request),
  sampling: request.sampling ?? undefined,
  settings: request.settings?.providers,
  maxOutputTokens: getMaxOutputTokens(model, request.sampling),
  idempotencyKey: request.idempotencyKey,
  ...request.byok,
});

async function requestCandidate(
  providers: Providers,
  candidate: Candidate,
  request: ModelRequest,
  { signal, tokens, beforeCall, onDelta, onToolInput, onOutput }: ModelRequestOptions,
): Promise<ModelAnswer> {
  const { model, provider, account } = candidate;
  const prefix = providers.prefixes.register(account, model.key, readStable(request));
  const call = { ...toCall(model, request), prefix };
  const read: ReadAnswer = { text: '', usage: undefined, toolCalls: [] };
  const updateLimits = (part: ProviderPart): boolean => {
    if ('rates' in part) providers.limiter.update(account, part.rates);
    return 'rates' in part;
  };
  const used = async (): Promise<Used> => ({
    model,
    usage: estimateUsage(read) ?? (await estimatedUsage(call, read.text)),
  });
  const onText = (text: string): void => {
    if (read.text === text) onOutput?.(used);
    onDelta?.(text);
  };
  await callWithinLimits(
    providers,
    candidate,
    { tokens: tokens ?? estimateInput(listTexts(call)), signal, beforeCall },
    () =>
      inModelSpan(provider.key, { ...call, lens: request.lens, isJson: call.outputSchema !== undefined }, () =>
        readStream(provider.stream(call, signal), read, {
          signal,
          onDelta: onText,
          onToolInput,
          updateLimits,
          stop: call.sampling?.stop ?? [],
        }),
      ),
  );
  const { text, toolCalls, finishReason } = read;
  const { usage } = await used();
  const json = call.outputSchema && !request.unchecked && { value: readJson(text, call.outputSchema) };
  return { text, ...(json && { json }), usage, toolCalls, finishReason, model };
}

/** Models write members in the order of the schema, which the lens keeps and the run does not. */
const inOrder = ({ outputSchema, settings }: ModelRequest): ProviderRequest['outputSchema'] =>
  (isDeepStrictEqual(outputSchema, settings?.outputSchema) ? settings?.outputSchema : outputSchema) ?? undefined;

/** The instructions and the beginning of the prompt that other requests have, too. */
const readStable = ({
  system = '',
  prompt,
  stableLength,
}: ModelRequest): { system: string; prompt: string } | undefined =>
  stableLength === undefined ? undefined : { system, prompt: prompt.slice(0, stableLength) };

/** Some providers report 0 tokens when they have not counted; then the usage is unknown. */
const estimateUsage = ({
  usage,
  text,
}: Pick<ModelAnswer, 'text'> & { usage: TokenUsage | undefined }): TokenUsage | undefined =>
  usage?.output === 0 && text !== '' ? undefined : usage;

/** The roughly estimated tokens of the texts of a request. */
export const estimateInput = (texts: readonly string[]): number =>
  texts.reduce((sum, text) => sum + roughTokens(text), 0);

/** The tokens of the texts of a request as a tokenizer counts them, rather too many than too few, for the credits to hold. */
export async function estimateMaxInput(texts: readonly string[]): Promise<number> {
  const tokens = await Promise.all(texts.map((text) => estimateMaxTokens(text)));
  return tokens.reduce((sum, each) => sum + each, 0);
}

/** The use of a request whose provider reports none. */
const estimatedUsage = async (call: ProviderRequest, text: string): Promise<TokenUsage> => {
  const counts = await Promise.all([...listTexts(call), text].map((each) => estimateTokens(each)));
  const output = counts.pop() ?? 0;
  return { input: counts.reduce((sum, each) => sum + each, 0), output };
};
