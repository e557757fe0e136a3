import { batchHttp } from './batch-http.js';
import { openaiBatches } from './openai-batches.js';
import type { Provider } from './provider.js';
import type { Access } from './access.js';
import { sdkProvider } from './sdk-provider.js';

/** Loads the client library with the first call. */
const loadClient = async () => {
  const { createOpenAI } = await import('@ai-sdk/openai');
  return ({ apiKey, baseUrl, fetch }: Access) =>
    createOpenAI({ apiKey: apiKey ?? '', fetch, ...(baseUrl !== undefined && { baseURL: baseUrl }) });
};

/** OpenAI through its Responses API, which stores nothing there. */
export const openaiProvider = (access: Access): Provider =>
  sdkProvider({
    key: 'openai',
    access,
    batches: openaiBatches(
      batchHttp({
        access,
        baseUrl: 'https://api.openai.com/v1',
        headers: (apiKey) => ({ authorization: `Bearer ${apiKey}` }),
      }),
    ),
    load: async () => {
      const open = await loadClient();
      return (access, model) => open(access).responses(model);
    },
    embeddings: {
      load: async () => {
        const open = await loadClient();
        return (access, model) => open(access).embedding(model);
      },
      options: (dimensions) => ({ openai: { dimensions } }),
    },
    // A strict schema must list every member as required; the worker validates answers anyway.
    options: ({ prefix, sampling, settings }) => ({
      openai: {
        store: false,
        strictJsonSchema: false,
        ...(prefix && { promptCacheKey: prefix.key }),
        ...(sampling?.reasoningEffort && { reasoningEffort: sampling.reasoningEffort }),
        ...(settings?.openai?.textVerbosity && { textVerbosity: settings.openai.textVerbosity }),
      },
    }),
  });
