import type { Provider } from './provider.js';
import type { AccessForUsers } from './sdk-provider.js';
import { sdkProvider } from './sdk-provider.js';

/**
 * Whatever speaks OpenAI's chat completions: Ollama, vLLM, a gateway of one's own. Many of them ask for no key. Without an
 * address it answers those who bring one with their key.
 */
export const openaiCompatibleProvider = (access: AccessForUsers): Provider =>
  sdkProvider({
    key: 'openai-compatible',
    access,
    keyless: access.baseUrl === undefined,
    load: async () => {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
      return ({ apiKey, baseUrl = '', fetch }, model) =>
        createOpenAICompatible({
          name: 'compatible',
          baseURL: baseUrl,
          fetch,
          includeUsage: true,
          supportsStructuredOutputs: true,
          ...(apiKey !== undefined && { apiKey }),
        }).chatModel(model);
    },
    options: { compatible: { strictJsonSchema: false } },
  });
