import type { ModelCapability, Sampling } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { requiredMessage } from '@lensforge/core';
import { withDbRetry } from '@lensforge/database';
import { resolveTemplate, templateOfVersion } from '@lensforge/lenses';
import type { ChosenModel, PromptImage } from '@lensforge/models';
import { modelById, nameOf, outputTokensOf, takeImages } from '@lensforge/models';
import type { Provider, ProviderPart, ProviderRequest, TokenUsage, ToolCall } from '../providers/provider.js';
import { ProviderFault } from '../providers/provider.js';
import type { Lent, Providers } from '../providers/providers.js';
import { accountOf } from '../providers/providers.js';
import { readJson } from './read-json.js';
import { RunFailure, failureOfProvider } from './run-failure.js';

export interface AskParts {
  db: Context['db'];
  providers: Providers;
}

export interface Question {
  modelId: string;
  prompt: string;
  images?: readonly PromptImage[];
  /** The answer has to be JSON that fits. */
  outputSchema?: Readonly<Record<string, unknown>> | null;
  sampling?: Sampling | null;
  /** What the caller brings in place of the platform's own key. */
  lent?: Lent | undefined;
  /** The names of the models that may stand in, where a sponsor pays and has said so. */
  among?: readonly string[] | undefined;
  /** The same whenever the same work is asked for again. */
  idempotencyKey: string;
}

export interface Answer {
  text: string;
  /** Where a schema was asked for. */
  json?: { value: unknown };
  usage: TokenUsage;
  toolCalls: ToolCall[];
  /** Who answered; another than was asked when that one could not. */
  model: Model;
}

type Model = Omit<ChosenModel, 'alternatives'>;

export interface Asking {
  signal: AbortSignal;
  /** Called right before each call to a provider; throws when there shall be none. */
  beforeCall?: () => void;
  onDelta?: (text: string) => void;
  /** One could not answer and the next is asked. */
  onNext?: (tried: { failed: string; reason: string; next: string }) => Promise<void>;
}

const mostCharacters = 2_000_000;
const charactersPerToken = 4;

/** The text of a version of a lens with these parameters, and the pictures among them. */
export async function promptOfLens(
  db: Context['db'],
  { lensVersionId, params: given }: { lensVersionId: string; params: Readonly<Record<string, unknown>> },
): Promise<Required<Pick<Question, 'prompt' | 'images'>>> {
  const template = await withDbRetry(() => templateOfVersion(db, lensVersionId));
  const { params, images } = takeImages(given);
  const resolved = resolveTemplate(template, params);
  if ('missing' in resolved) {
    throw new RunFailure('MISSING_PARAMS', requiredMessage(resolved.missing.map((label) => `params.${label}`)));
  }
  return { prompt: resolved.prompt, images };
}

/**
 * Asks a model, or those that stand in for it as long as nothing was said yet. Throws RunFailure, or the reason of the
 * signal; nothing is repeated here.
 */
export async function ask(parts: AskParts, question: Question, asking: Asking): Promise<Answer> {
  const { modelId, lent, among } = question;
  const fundingSource = lent && 'user_byok_cloud';
  const model = await withDbRetry(() =>
    modelById(parts.db, modelId, { fundingSource, needs: needsOf(question), among }),
  );
  if (!model) throw new RunFailure('PROVIDER_UNKNOWN', 'The model of this run is no longer in the catalogue');
  const candidates = candidatesOf(parts.providers, model, lent);
  const failures: RunFailure[] = [];
  for (const [index, candidate] of candidates.entries()) {
    const said = { anything: false };
    const onDelta = (text: string): void => {
      said.anything = true;
      asking.onDelta?.(text);
    };
    try {
      return await askOne(parts.providers, candidate, question, { ...asking, onDelta });
    } catch (reason) {
      asking.signal.throwIfAborted();
      const failure = reason instanceof RunFailure ? reason : failureOfProvider(candidate.model.providerKey, reason);
      failures.push(failure);
      const next = candidates[index + 1];
      if (said.anything || !failure.next) throw failure;
      if (!next) throw best(failures);
      const tried = { failed: nameOf(candidate.model), reason: failure.message, next: nameOf(next.model) };
      await asking.onNext?.(tried);
    }
  }
  throw nobody(parts.providers, model);
}

/** Another worker may have the key that this one lacks. */
const nobody = (providers: Providers, { providerKey }: Model): RunFailure =>
  providers.get(providerKey)
    ? new RunFailure('PROVIDER_UNKNOWN', `This platform has no key for ${providerKey}`, {})
    : new RunFailure('PROVIDER_UNKNOWN', `This platform has no provider ${providerKey}`);

/** A failure that may pass says when to come back; of several the one that passes first. */
function best(failures: readonly RunFailure[]): RunFailure {
  const passing = failures.filter(({ retry }) => retry);
  const [soonest] = passing.sort((one, other) => (one.retry?.afterMs ?? 0) - (other.retry?.afterMs ?? 0));
  return soonest ?? (failures.at(-1) as RunFailure);
}

function needsOf({ images = [], outputSchema, sampling }: Question): ModelCapability[] {
  const needs: ModelCapability[] = [];
  if (images.length > 0) needs.push('images');
  if (images.some((image) => 'url' in image)) needs.push('image_urls');
  if (outputSchema) needs.push('json');
  if (sampling?.temperature !== undefined) needs.push('sampling');
  return needs;
}

interface Candidate {
  model: Model;
  provider: Provider;
  /** Of which limits are known. */
  account: string;
  /** What has failed lately or not. */
  name: string;
}

/** Those that this process can ask, without those that failed lately as long as others are left. */
function candidatesOf(providers: Providers, model: ChosenModel, lent: Lent | undefined): Candidate[] {
  const able = [model, ...model.alternatives].flatMap((each): Candidate[] => {
    const provider = providers.get(each.providerKey);
    if (!provider || (provider.keyless && !lent)) return [];
    const account = accountOf(each.providerKey, lent);
    return [{ model: each, provider, account, name: `${account} ${each.key}` }];
  });
  const rested = able.filter(({ name }) => providers.cooldowns.mayAsk(name));
  return rested.length > 0 ? rested : able;
}

async function askOne(
  providers: Providers,
  { model, provider, account, name }: Candidate,
  question: Question,
  { signal, beforeCall, onDelta }: Asking,
): Promise<Answer> {
  const { limiter, cooldowns } = providers;
  const request: ProviderRequest = {
    model: model.key,
    prompt: question.prompt,
    images: question.images,
    outputSchema: question.outputSchema ?? undefined,
    temperature: question.sampling?.temperature,
    maxOutputTokens: outputTokensOf(model, question.sampling),
    idempotencyKey: question.idempotencyKey,
    ...question.lent,
  };
  cooldowns.begin(name);
  let leave: (() => void) | undefined;
  try {
    leave = await limiter.enter(account, estimate(request.prompt), signal);
    beforeCall?.();
    const learn = (part: ProviderPart): boolean => {
      if ('rates' in part) limiter.learn(account, part.rates);
      return 'rates' in part;
    };
    const heard = await listen(provider.stream(request, signal), { signal, onDelta, learn });
    cooldowns.succeeded(name);
    providers.heard?.(provider.key, 'answered');
    const { text, toolCalls } = heard;
    const usage = usageOf(heard) ?? { input: estimate(request.prompt), output: estimate(text) };
    const json = request.outputSchema && { value: readJson(text, request.outputSchema) };
    return { text, ...(json && { json }), usage, toolCalls, model };
  } catch (reason) {
    if (reason instanceof ProviderFault && !signal.aborted) {
      const { kind, retryAfterMs, rates } = reason;
      if (kind === 'limited' && leave && !provider.limitless) limiter.refused(account, retryAfterMs, rates);
      if (passing.includes(kind)) cooldowns.failed(name, retryAfterMs);
      providers.heard?.(provider.key, kind);
    }
    throw reason;
  } finally {
    cooldowns.leftOpen(name);
    leave?.();
  }
}

/** Some count nothing rather than say that they have not counted. */
const usageOf = ({ usage, text }: Pick<Answer, 'text'> & { usage: TokenUsage | undefined }): TokenUsage | undefined =>
  usage?.output === 0 && text !== '' ? undefined : usage;

const passing: readonly string[] = ['limited', 'unavailable', 'unpaid'];

interface Ear {
  signal: AbortSignal;
  onDelta: Asking['onDelta'];
  learn: (part: ProviderPart) => boolean;
}

async function listen(
  parts: AsyncIterable<ProviderPart>,
  { signal, onDelta, learn }: Ear,
): Promise<{ text: string; usage: TokenUsage | undefined; toolCalls: ToolCall[] }> {
  const storable = storableText();
  const toolCalls: ToolCall[] = [];
  let text = '';
  let usage: TokenUsage | undefined;
  for await (const part of parts) {
    if (signal.aborted) break;
    if (learn(part)) continue;
    if ('usage' in part) usage = part.usage;
    if ('toolCall' in part && toolCalls.length < mostToolCalls) toolCalls.push(part.toolCall);
    if (!('delta' in part)) continue;
    const delta = storable(part.delta);
    text += delta;
    if (delta !== '') onDelta?.(delta);
    if (text.length > mostCharacters)
      throw new RunFailure('OUTPUT_TOO_LARGE', `The answer is longer than ${mostCharacters} characters`);
  }
  signal.throwIfAborted();
  return { text, usage, toolCalls };
}

const mostToolCalls = 100;

const estimate = (text: string): number => Math.ceil(text.length / charactersPerToken);

/** Postgres keeps neither NUL nor half a surrogate pair; a pair may arrive in two pieces. */
function storableText(): (piece: string) => string {
  let half = '';
  return (piece) => {
    let text = half + piece;
    half = halfPair.exec(text)?.[0] ?? '';
    if (half) text = text.slice(0, -1);
    return text.toWellFormed().replaceAll('\0', '\uFFFD');
  };
}

const halfPair = /[\uD800-\uDBFF]$/;
