import { anthropicBatches } from './anthropic-batches.js';
import { batchHttp } from './batch-http.js';
import type { Provider } from './provider.js';
import type { Access } from './access.js';
import { sdkProvider } from './sdk-provider.js';

export const anthropicProvider = (access: Access): Provider =>
  sdkProvider({
    key: 'anthropic',
    access,
    batches: anthropicBatches(
      batchHttp({
        access,
        baseUrl: 'https://api.anthropic.com/v1',
        headers: (apiKey) => ({ 'x-api-key': apiKey, 'anthropic-version': '2023-06-01' }),
      }),
    ),
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
