import type { EmbeddingModelV3, EmbeddingModelV3CallOptions } from '@ai-sdk/provider';
import { once } from '../once.js';
import type { Access } from './access.js';
import { type EmbeddingRequest, type Provider, ProviderFault } from './provider.js';
import { ratesIn } from './rates.js';
import { faultReader } from './sdk-faults.js';

export interface SdkEmbeddings {
  load: () => Promise<(access: Access, model: string) => EmbeddingModelV3>;
  options: (dimensions: number) => NonNullable<EmbeddingModelV3CallOptions['providerOptions']>;
}

/** Makes embeddings behind a client library, with as many calls as the texts of one request need. */
export function sdkEmbeddings(
  { load, options }: SdkEmbeddings,
  accessFor: (request: EmbeddingRequest) => Access,
): NonNullable<Provider['embed']> {
  const loaded = once(() => Promise.all([load(), faultReader()]));
  return async (request, signal) => {
    const [modelOf, toFault] = await loaded();
    const { texts, dimensions, idempotencyKey } = request;
    const access = accessFor(request);
    try {
      const model = modelOf(access, request.model);
      const size = (await model.maxEmbeddingsPerCall) ?? texts.length;
      const vectors: number[][] = [];
      let tokens: number | undefined = 0;
      let rates: ReturnType<typeof ratesIn> | undefined;
      for (let at = 0; at < texts.length; at += size) {
        signal.throwIfAborted();
        const values = texts.slice(at, at + size);
        const { embeddings, usage, response } = await model.doEmbed({
          values,
          abortSignal: signal,
          headers: { 'idempotency-key': at === 0 ? idempotencyKey : `${idempotencyKey}:${at}` },
          ...(dimensions !== undefined && { providerOptions: options(dimensions) }),
        });
        if (embeddings.length !== values.length) throw new ProviderFault('broken', 'its answer lacks some embeddings');
        vectors.push(...embeddings);
        tokens = usage && tokens !== undefined ? tokens + usage.tokens : undefined;
        rates = ratesIn(response?.headers ?? {}, Date.now());
      }
      return { vectors, tokens, rates };
    } catch (reason) {
      throw toFault(reason, { signal, apiKey: access.apiKey });
    }
  };
}
