import type { Provider } from './provider.js';
import { type Access, sdkProvider } from './sdk-provider.js';

export const googleProvider = (access: Access): Provider =>
  sdkProvider({
    key: 'google',
    access,
    // Its models refuse calls whose thought signature is missing.
    returnsMetadata: true,
    load: async () => {
      const { createGoogleGenerativeAI } = await import('@ai-sdk/google');
      return ({ apiKey, baseUrl, fetch }, model) =>
        createGoogleGenerativeAI({ apiKey: apiKey ?? '', fetch, ...(baseUrl !== undefined && { baseURL: baseUrl }) })(
          model,
        );
    },
  });
