import type { Provider } from './provider.js';
import type { Access } from './sdk-provider.js';
import { sdkProvider } from './sdk-provider.js';

/** Whatever speaks OpenAI's chat completions: Ollama, vLLM, a gateway of one's own. Many of them ask for no key. */
export const openaiCompatibleProvider = (access: Access & { baseUrl: string }): Provider =>
  sdkProvider({
    key: 'openai-compatible',
    access,
    open: true,
    load: async () => {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
      return ({ apiKey, fetch }, model) =>
        createOpenAICompatible({
          name: 'compatible',
          baseURL: access.baseUrl,
          fetch,
          includeUsage: true,
          supportsStructuredOutputs: true,
          ...(apiKey !== undefined && { apiKey }),
        }).chatModel(model);
    },
    options: { compatible: { strictJsonSchema: false } },
  });
