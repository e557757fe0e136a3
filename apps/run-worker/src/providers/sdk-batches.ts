import type { LanguageModelV3, LanguageModelV3CallOptions, LanguageModelV3GenerateResult } from '@ai-sdk/provider';
import type { Fetch } from './access.js';
import { type BatchService, ProviderFault, type ProviderPart, type ProviderRequest } from './provider.js';

/** The part of a batch service that differs between providers. */
export type BatchApi = Omit<BatchService, 'compose' | 'read'>;

export interface SdkBatches {
  api: BatchApi;
  /** A model of the client library whose calls go through this fetch. */
  modelWith: (fetch: Fetch, model: string) => Promise<LanguageModelV3>;
  toCall: (request: ProviderRequest) => LanguageModelV3CallOptions;
  toParts: (answer: LanguageModelV3GenerateResult) => ProviderPart[];
}

/** A batch service whose bodies the client library writes and reads as it does for single requests. */
export const sdkBatches = ({ api, modelWith, toCall, toParts }: SdkBatches): BatchService => ({
  ...api,
  async compose(request) {
    let body: string | undefined;
    const fetch: Fetch = (_, init) => {
      body = typeof init?.body === 'string' ? init.body : undefined;
      return Promise.reject(new Error('a request of a batch is not sent on its own'));
    };
    const model = await modelWith(fetch, request.model);
    await Promise.resolve(model.doGenerate(toCall(request))).catch(() => undefined);
    if (body === undefined) throw new ProviderFault('refused', 'the request cannot be written for its batch service');
    return JSON.parse(body) as unknown;
  },
  async *read(request, answer) {
    const headers = { 'content-type': 'application/json' };
    const fetch: Fetch = () => Promise.resolve(new Response(JSON.stringify(answer), { headers }));
    const model = await modelWith(fetch, request.model);
    const read = await Promise.resolve(model.doGenerate(toCall(request))).catch(() => {
      throw new ProviderFault('broken', 'its answer could not be read');
    });
    yield* toParts(read);
  },
});
