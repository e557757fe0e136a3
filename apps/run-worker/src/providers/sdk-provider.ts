import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3FilePart,
  LanguageModelV3FinishReason,
  LanguageModelV3GenerateResult,
  LanguageModelV3Message,
  LanguageModelV3Prompt,
  LanguageModelV3StreamPart,
  LanguageModelV3TextPart,
  LanguageModelV3Usage,
} from '@ai-sdk/provider';
import type { FinishReason } from '@lensforge/contracts';
import type { Message, PromptImage, TokenUsage, ToolCall, ToolChoice } from '@lensforge/models';
import { once } from '../once.js';
import type { Access, AccessForUsers, Fetch } from './access.js';
import { type BatchAccess, type Provider, ProviderFault, type ProviderPart, type ProviderRequest } from './provider.js';
import { ratesIn } from './rates.js';
import { type BatchApi, sdkBatches } from './sdk-batches.js';
import { type SdkEmbeddings, sdkEmbeddings } from './sdk-embeddings.js';
import { endedEarly, faultReader } from './sdk-faults.js';

type ProviderOptions = NonNullable<LanguageModelV3CallOptions['providerOptions']>;

export interface SdkProvider {
  key: string;
  access: Access | AccessForUsers;
  /** True when the platform has no key for it, so that it needs a BYOK key. */
  keyless?: boolean;
  /** Loads the client library with the first call. */
  load: () => Promise<(access: Access, model: string) => LanguageModelV3>;
  options?: (request: ProviderRequest) => ProviderOptions;
  /** Marks the end of a part that the provider caches, where it caches marked parts alone. */
  cacheMark?: ProviderOptions;
  /** True when the provider wants the metadata of its tool calls back. */
  returnsMetadata?: boolean;
  /** Its batch service. */
  batches?: BatchApi;
  embeddings?: SdkEmbeddings;
}

/** A provider behind a client library; each stream is one call without retries. */
export function sdkProvider({
  key,
  access,
  keyless = access.apiKey === undefined,
  load,
  options,
  cacheMark,
  returnsMetadata = false,
  batches,
  embeddings,
}: SdkProvider): Provider {
  const loaded = once(async () => {
    const [modelOf, toFault] = await Promise.all([load(), faultReader()]);
    return { modelOf, toFault };
  });

  const toCall = (request: ProviderRequest): LanguageModelV3CallOptions => ({
    ...toModelCall(request, cacheMark),
    ...(options && { providerOptions: options(request) }),
  });

  async function* stream(request: ProviderRequest, signal: AbortSignal): AsyncGenerator<ProviderPart> {
    const { modelOf, toFault } = await loaded();
    const resolved = accessFor(access, request);
    const end = new AbortController();
    const abort = (): void => end.abort(signal.reason);
    signal.addEventListener('abort', abort);
    try {
      signal.throwIfAborted();
      const model = modelOf(resolved, request.model);
      const answer = await model.doStream({ ...toCall(request), abortSignal: end.signal });
      yield { rates: ratesIn(answer.response?.headers ?? {}, Date.now()) };
      yield* readParts(answer.stream, returnsMetadata);
    } catch (reason) {
      throw toFault(reason, { signal, apiKey: resolved.apiKey });
    } finally {
      signal.removeEventListener('abort', abort);
      end.abort();
    }
  }
  const more = embeddings && { embed: sdkEmbeddings(embeddings, (request) => accessFor(access, request)) };
  if (!batches) return { key, keyless, stream, ...more };
  const modelWith = async (fetch: Fetch, model: string): Promise<LanguageModelV3> =>
    (await loaded()).modelOf({ apiKey: 'unused', fetch }, model);
  return {
    key,
    keyless,
    stream,
    ...more,
    batches: sdkBatches({ api: batches, modelWith, toCall, toParts: readWhole }),
  };
}

/** The parts of an answer that arrived as a whole; batches have no tools. */
function readWhole({ content, finishReason, usage: reported }: LanguageModelV3GenerateResult): ProviderPart[] {
  refuseUnfinished(finishReason);
  const usage = toTokenUsage(reported);
  return [
    { finishReason: toFinishReason(finishReason) },
    ...content.flatMap((part): ProviderPart[] => (part.type === 'text' ? [{ delta: part.text }] : [])),
    ...(usage ? [{ usage }] : []),
  ];
}

/** Never sends the key of the platform to a base URL of a user. */
function accessFor(access: SdkProvider['access'], { apiKey, baseUrl }: BatchAccess): Access {
  if (baseUrl === undefined) return { ...access, apiKey: apiKey ?? access.apiKey };
  if (!('fetchForUsers' in access)) throw new ProviderFault('broken', 'it cannot be called at another base URL');
  return { apiKey, baseUrl, fetch: access.fetchForUsers };
}

function toModelCall(request: ProviderRequest, cacheMark: ProviderOptions | undefined): LanguageModelV3CallOptions {
  const { outputSchema, sampling = {}, maxOutputTokens, idempotencyKey, tools = [], toolChoice } = request;
  const { temperature, topP, stop, seed } = sampling;
  return {
    prompt: toModelPrompt(request, cacheMark && { providerOptions: cacheMark }),
    maxOutputTokens,
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, inputSchema }) => ({
        type: 'function',
        name,
        description,
        inputSchema,
      })),
      ...(toolChoice !== undefined && { toolChoice: toToolChoice(toolChoice) }),
    }),
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
    ...(stop && { stopSequences: stop }),
    ...(seed !== undefined && { seed }),
    ...(outputSchema && { responseFormat: { type: 'json', name: 'answer', schema: outputSchema } }),
    headers: { 'idempotency-key': idempotencyKey },
  };
}

const toToolChoice = (choice: ToolChoice): NonNullable<LanguageModelV3CallOptions['toolChoice']> =>
  typeof choice === 'string' ? { type: choice } : { type: 'tool', toolName: choice.name };

interface CacheMark {
  providerOptions: ProviderOptions;
}

/**
 * The next step of an agent repeats its conversation, which is marked as a whole. Of another request, a prefix that has been
 * sent before is marked.
 */
function toModelPrompt(
  { system, prompt, prefix, images = [], messages = [], tools = [] }: ProviderRequest,
  cacheMark: CacheMark | undefined,
): LanguageModelV3Prompt {
  const ofAgent = tools.length > 0 ? cacheMark : undefined;
  const repeated = prefix?.isRepeated ? prefix.length : undefined;
  const ofSystem = repeated === 0 ? cacheMark : ofAgent;
  const sent: LanguageModelV3Prompt = [
    ...(system === undefined ? [] : [{ role: 'system' as const, content: system, ...ofSystem }]),
    { role: 'user', content: [...splitPrompt(prompt, repeated ?? 0, cacheMark), ...images.map(filePart)] },
    ...messages.map(toModelMessage),
  ];
  return sent.map((message, index) => (index === sent.length - 1 ? { ...message, ...ofAgent } : message));
}

function splitPrompt(prompt: string, at: number, cacheMark: CacheMark | undefined): LanguageModelV3TextPart[] {
  if (!cacheMark || at === 0) return [{ type: 'text', text: prompt }];
  const marked = { type: 'text' as const, text: prompt.slice(0, at), ...cacheMark };
  return at < prompt.length ? [marked, { type: 'text', text: prompt.slice(at) }] : [marked];
}

const filePart = (image: PromptImage): LanguageModelV3FilePart => ({
  type: 'file',
  mediaType: image.mediaType,
  data: 'url' in image ? new URL(image.url) : image.data,
});

function toModelMessage(message: Message): LanguageModelV3Message {
  switch (message.role) {
    case 'user':
      return {
        role: 'user',
        content: [{ type: 'text', text: message.text }, ...(message.images ?? []).map(filePart)],
      };
    case 'assistant':
      return {
        role: 'assistant',
        content: [
          ...(message.text === '' ? [] : [{ type: 'text' as const, text: message.text }]),
          ...message.toolCalls.map(callPart),
        ],
      };
    case 'tool':
      return {
        role: 'tool',
        content: message.results.map(({ callId, name, text, isError }) => ({
          type: 'tool-result',
          toolCallId: callId,
          toolName: name,
          output: { type: isError ? 'error-text' : 'text', value: text },
        })),
      };
  }
}

const callPart = ({ id, name, input, metadata }: ToolCall) => ({
  type: 'tool-call' as const,
  toolCallId: id,
  toolName: name,
  input,
  ...(metadata && { providerOptions: metadata as ProviderOptions }),
});

async function* readParts(
  stream: ReadableStream<LanguageModelV3StreamPart>,
  returnsMetadata: boolean,
): AsyncGenerator<ProviderPart> {
  let finished = false;
  const names = new Map<string, string>();
  for await (const part of stream as AsyncIterable<LanguageModelV3StreamPart>) {
    switch (part.type) {
      case 'text-delta':
        yield { delta: part.delta };
        break;
      case 'tool-input-start':
        if (part.providerExecuted !== true) names.set(part.id, part.toolName);
        break;
      case 'tool-input-delta': {
        const name = names.get(part.id);
        if (name !== undefined) yield { toolInput: { id: part.id, name, text: part.delta } };
        break;
      }
      case 'tool-call': {
        const metadata = returnsMetadata ? part.providerMetadata : undefined;
        const { toolCallId: id, toolName: name } = part;
        yield { toolCall: { id, name, input: jsonOr(part.input), ...(metadata && { metadata }) } };
        break;
      }
      case 'tool-result':
        yield { toolCall: { id: part.toolCallId, name: part.toolName, input: null, output: part.result } };
        break;
      case 'error':
        throw part.error;
      case 'finish': {
        finished = true;
        refuseUnfinished(part.finishReason);
        yield { finishReason: toFinishReason(part.finishReason) };
        const usage = toTokenUsage(part.usage);
        if (usage) yield { usage };
        break;
      }
      default:
        break;
    }
  }
  if (!finished) throw endedEarly();
}

/** Throws when the answer is not complete; an end without a reason means that the connection was cut. */
function refuseUnfinished({ unified, raw }: LanguageModelV3FinishReason): void {
  if (unified === 'content-filter') throw new ProviderFault('filtered', 'its content filter blocked the answer');
  if (unified === 'error') throw new ProviderFault('broken', 'its answer could not be read');
  if (unified === 'other' && raw === undefined) throw endedEarly();
}

const toFinishReason = ({ unified }: LanguageModelV3FinishReason): FinishReason => {
  if (unified === 'stop' || unified === 'length') return unified;
  return unified === 'tool-calls' ? 'tool_calls' : 'other';
};

/** The client libraries count cached tokens within the input, as OpenAI does; a kind never exceeds what contains it. */
function toTokenUsage({ inputTokens, outputTokens }: LanguageModelV3Usage): TokenUsage | undefined {
  const { total: input, cacheRead, cacheWrite } = inputTokens;
  const { total: output, reasoning } = outputTokens;
  if (!isCount(input) || !isCount(output)) return undefined;
  const cachedInput = Math.min(isCount(cacheRead) ? cacheRead : 0, input);
  const kinds = {
    cachedInput,
    cacheWrite: Math.min(isCount(cacheWrite) ? cacheWrite : 0, input - cachedInput),
    reasoning: Math.min(isCount(reasoning) ? reasoning : 0, output),
  };
  const hasKinds = Object.values(kinds).some((tokens) => tokens > 0);
  return { input, output, ...(hasKinds && kinds) };
}

const isCount = (tokens: number | undefined): tokens is number =>
  tokens !== undefined && Number.isSafeInteger(tokens) && tokens >= 0 && tokens < 2 ** 31;

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
