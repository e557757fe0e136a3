import { batchHttp } from './batch-http.js';
import { googleBatches } from './google-batches.js';
import type { Provider, ProviderRequest } from './provider.js';
import type { Access } from './access.js';
import { sdkProvider } from './sdk-provider.js';

/** Loads the client library with the first call. */
const loadClient = async () => {
  const { createGoogleGenerativeAI } = await import('@ai-sdk/google');
  return ({ apiKey, baseUrl, fetch }: Access) =>
    createGoogleGenerativeAI({ apiKey: apiKey ?? '', fetch, ...(baseUrl !== undefined && { baseURL: baseUrl }) });
};

export const googleProvider = (access: Access): Provider =>
  sdkProvider({
    key: 'google',
    access,
    batches: googleBatches(
      batchHttp({
        access,
        baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
        headers: (apiKey) => ({ 'x-goog-api-key': apiKey }),
      }),
    ),
    embeddings: {
      load: async () => {
        const open = await loadClient();
        return (access, model) => open(access).embedding(model);
      },
      options: (dimensions) => ({ google: { outputDimensionality: dimensions } }),
    },
    // Its models refuse calls whose thought signature is missing.
    returnsMetadata: true,
    options: (request) => ({ google: { ...listThinking(request), ...listSafety(request) } }),
    load: async () => {
      const open = await loadClient();
      return (access, model) => open(access)(model);
    },
  });

/** Tokens of thinking for the models that take no level. */
const thinkingTokens = { low: 1024, medium: 8192, high: 24_576 } as const;

function listThinking({ model, sampling, settings, maxOutputTokens }: ProviderRequest) {
  const effort = sampling?.reasoningEffort;
  const byEffort = effort && model.startsWith('gemini-2') ? thinkingTokens[effort] : undefined;
  const tokens = settings?.google?.thinkingTokens ?? byEffort;
  if (tokens !== undefined) return { thinkingConfig: { thinkingBudget: Math.min(tokens, maxOutputTokens) } };
  return effort ? { thinkingConfig: { thinkingLevel: effort } } : {};
}

const harms = ['HATE_SPEECH', 'DANGEROUS_CONTENT', 'HARASSMENT', 'SEXUALLY_EXPLICIT'] as const;

function listSafety({ settings }: ProviderRequest) {
  const threshold = settings?.google?.safetyThreshold;
  if (!threshold) return {};
  return { safetySettings: harms.map((harm) => ({ category: `HARM_CATEGORY_${harm}`, threshold })) };
}
