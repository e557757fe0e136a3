import type { Provider } from './provider.js';
import { type Access, sdkProvider } from './sdk-provider.js';

export const anthropicProvider = (access: Access): Provider =>
  sdkProvider({
    key: 'anthropic',
    access,
    cacheMark: { anthropic: { cacheControl: { type: 'ephemeral' } } },
    options: ({ sampling }) => ({
      anthropic: { ...(sampling?.reasoningEffort && { effort: sampling.reasoningEffort }) },
    }),
    load: async () => {
      const { createAnthropic } = await import('@ai-sdk/anthropic');
      return ({ apiKey, baseUrl, fetch }, model) =>
        createAnthropic({ apiKey: apiKey ?? '', fetch, ...(baseUrl !== undefined && { baseURL: baseUrl }) })(model);
    },
  });
