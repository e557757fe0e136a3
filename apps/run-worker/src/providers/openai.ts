import type { Provider } from './provider.js';
import { type Access, sdkProvider } from './sdk-provider.js';

/** OpenAI through its Responses API, which stores nothing there. */
export const openaiProvider = (access: Access): Provider =>
  sdkProvider({
    key: 'openai',
    access,
    load: async () => {
      const { createOpenAI } = await import('@ai-sdk/openai');
      return ({ apiKey, baseUrl, fetch }, model) =>
        createOpenAI({ apiKey: apiKey ?? '', fetch, ...(baseUrl !== undefined && { baseURL: baseUrl }) }).responses(
          model,
        );
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
