import { inSpan } from '@lensforge/edge';
import type { TokenUsage } from '@lensforge/models';
import { SpanKind } from '@opentelemetry/api';
import { ProviderFault, type ProviderRequest } from '../providers/provider.js';

type SpanOfModel = Pick<ProviderRequest, 'model' | 'sampling'> &
  Partial<Pick<ProviderRequest, 'maxOutputTokens'>> & { operation?: 'chat' | 'embeddings' };

/**
 * Runs a call of a provider in a client span with the attributes of the OpenTelemetry conventions for generative AI. Prompts,
 * answers and keys are not among them.
 */
export function inModelSpan<T extends { usage: TokenUsage | undefined }>(
  provider: string,
  { model, operation = 'chat', sampling: { temperature } = {}, maxOutputTokens }: SpanOfModel,
  work: () => Promise<T>,
): Promise<T> {
  const attributes = {
    'gen_ai.operation.name': operation,
    'gen_ai.provider.name': provider,
    'gen_ai.request.model': model,
    ...(maxOutputTokens !== undefined && { 'gen_ai.request.max_tokens': maxOutputTokens }),
    ...(temperature !== undefined && { 'gen_ai.request.temperature': temperature }),
  };
  return inSpan(`${operation} ${model}`, { kind: SpanKind.CLIENT, attributes }, async (span) => {
    try {
      const read = await work();
      if (read.usage) {
        span.setAttribute('gen_ai.usage.input_tokens', read.usage.input);
        span.setAttribute('gen_ai.usage.output_tokens', read.usage.output);
        span.setAttribute('gen_ai.usage.cache_read.input_tokens', read.usage.cachedInput ?? 0);
        span.setAttribute('gen_ai.usage.cache_creation.input_tokens', read.usage.cacheWrite ?? 0);
      }
      return read;
    } catch (reason) {
      span.setAttribute('error.type', reason instanceof ProviderFault ? reason.kind : 'stopped');
      throw reason;
    }
  });
}
