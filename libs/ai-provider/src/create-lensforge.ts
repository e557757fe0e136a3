import { createOpenAICompatible } from '@ai-sdk/openai-compatible';

type Compatible = ReturnType<typeof createOpenAICompatible>;
type LanguageModel = ReturnType<Compatible['chatModel']>;
type EmbeddingModel = ReturnType<Compatible['embeddingModel']>;

export interface LensforgeSettings {
  /** A token; LENSFORGE_API_KEY when absent. */
  apiKey?: string;
  /** The address of the REST API; LENSFORGE_API_URL, or that of `npm start`, when absent. */
  baseUrl?: string;
  headers?: Record<string, string>;
  /** Another implementation of fetch. */
  fetch?: typeof fetch;
}

/** The values and options of the runs of a model, as `POST /v1/lenses/{lensId}/execute` has them. */
export interface RunOptions {
  /** Values for the parameters of a lens, or the inputs of a workflow. */
  params?: Record<string, unknown>;
  modelOverride?: string;
  fundingSource?: 'user_byok_cloud' | 'user_byok_local' | 'platform_credit' | 'sponsored';
  byokKeyRefId?: string;
  tags?: string[];
  priority?: 'high' | 'normal' | 'low';
  /** The run fails rather than costing more credits. */
  maxCredits?: number;
}

export interface LensforgeProvider {
  /** A model of the catalogue as provider/key, or a name such as `alice/support-reply@production`. */
  (model: string, options?: RunOptions): LanguageModel;
  languageModel(model: string, options?: RunOptions): LanguageModel;
  /** A lens by `handle/title` or its id, perhaps with `@` and a version or label. */
  lens(name: string, options?: RunOptions): LanguageModel;
  workflow(workflowId: string, options?: RunOptions): LanguageModel;
  /** An AI lenser by its handle. */
  agent(handle: string, options?: RunOptions): LanguageModel;
  embeddingModel(model: string): EmbeddingModel;
}

/** A setting of the process. Browsers have none. */
function readVariable(name: string): string | undefined {
  const { process: host } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return host?.env?.[name] || undefined;
}

/** With params, a message without text stands for none: the AI SDK always sends one. */
function withOptions(body: Readonly<Record<string, unknown>>, options: RunOptions): Record<string, unknown> {
  if (Object.keys(options).length === 0) return body;
  const messages = body['messages'] as { content: string | readonly unknown[] }[];
  const kept = options.params ? messages.filter(({ content }) => content.length > 0) : messages;
  return { ...body, messages: kept, lensforge: options };
}

/** Creates a provider. No request is sent before the first call of a model. */
export function createLensforge({ apiKey, baseUrl, headers, fetch }: LensforgeSettings = {}): LensforgeProvider {
  const address = baseUrl ?? readVariable('LENSFORGE_API_URL') ?? 'http://127.0.0.1:4000';
  const key = apiKey ?? readVariable('LENSFORGE_API_KEY');
  const settings = {
    name: 'lensforge',
    baseURL: `${address.replace(/(?<!\/)\/+$/, '')}/openai/v1`,
    supportsStructuredOutputs: true,
    includeUsage: true,
    ...(key !== undefined && { apiKey: key }),
    ...(headers && { headers }),
    ...(fetch && { fetch }),
  };
  const languageModel = (model: string, options: RunOptions = {}): LanguageModel =>
    createOpenAICompatible({
      ...settings,
      transformRequestBody: (body) => withOptions(body, options),
    }).chatModel(model);
  const isId = (name: string): boolean => /^[0-9a-f-]{36}(?:@|$)/i.test(name);
  return Object.assign((model: string, options?: RunOptions) => languageModel(model, options), {
    languageModel,
    lens: (name: string, options?: RunOptions) => languageModel(isId(name) ? `lens:${name}` : name, options),
    workflow: (workflowId: string, options?: RunOptions) => languageModel(`workflow:${workflowId}`, options),
    agent: (handle: string, options?: RunOptions) => languageModel(`agent:${handle}`, options),
    embeddingModel: (model: string) => createOpenAICompatible(settings).embeddingModel(model),
  });
}
