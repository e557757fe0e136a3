import type { Provider } from './provider.js';
import type { Access, AccessForUsers } from './access.js';
import { sdkProvider } from './sdk-provider.js';

/** Loads the client library with the first call. */
const loadClient = async () => {
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
  return ({ apiKey, baseUrl = '', fetch }: Access) =>
    createOpenAICompatible({
      name: 'compatible',
      baseURL: baseUrl,
      fetch,
      includeUsage: true,
      supportsStructuredOutputs: true,
      ...(apiKey !== undefined && { apiKey }),
    });
};

/**
 * Servers with the chat completions API of OpenAI: Ollama, vLLM or a gateway. Many need no key. Without a base URL the
 * provider only serves BYOK keys, which bring their own.
 */
export const openaiCompatibleProvider = (access: AccessForUsers): Provider =>
  sdkProvider({
    key: 'openai-compatible',
    access,
    keyless: access.baseUrl === undefined,
    load: async () => {
      const open = await loadClient();
      return (access, model) => open(access).chatModel(model);
    },
    embeddings: {
      load: async () => {
        const open = await loadClient();
        return (access, model) => open(access).embeddingModel(model);
      },
      options: (dimensions) => ({ compatible: { dimensions } }),
    },
    options: ({ sampling }) => ({
      compatible: {
        strictJsonSchema: false,
        ...(sampling?.reasoningEffort && { reasoningEffort: sampling.reasoningEffort }),
      },
    }),
  });
