import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { context, propagation, trace } from '@opentelemetry/api';
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
import { ProviderFault } from '../providers/provider.js';
import { inModelSpan } from './model-span.js';

describe('inModelSpan', () => {
  const exporter = new InMemorySpanExporter();
  const tracing = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  const call = {
    model: 'large',
    prompt: 'my secret plan',
    maxOutputTokens: 500,
    idempotencyKey: 'k',
    apiKey: 'sk-mine',
  };

  beforeAll(() => tracing.register());
  afterAll(async () => {
    for (const api of [trace, context, propagation]) api.disable();
    await tracing.shutdown();
  });
  beforeEach(() => exporter.reset());

  it('names provider, model, limits and used tokens, and neither prompt, answer nor key', async () => {
    const read = { text: 'a secret answer', usage: { input: 12, output: 34, cachedInput: 8 } };
    expect(await inModelSpan('acme', { ...call, sampling: { temperature: 0.5 } }, () => Promise.resolve(read))).toBe(
      read,
    );
    const [span] = exporter.getFinishedSpans();
    expect(span).toMatchObject({ name: 'chat large', kind: 2 });
    expect(span?.attributes).toEqual({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'acme',
      'gen_ai.request.model': 'large',
      'gen_ai.request.max_tokens': 500,
      'gen_ai.request.temperature': 0.5,
      'gen_ai.usage.input_tokens': 12,
      'gen_ai.usage.output_tokens': 34,
      'gen_ai.usage.cache_read.input_tokens': 8,
      'gen_ai.usage.cache_creation.input_tokens': 0,
    });
  });

  it.each([
    ['limited', new ProviderFault('limited', 'too many requests')],
    ['stopped', new Error('aborted')],
  ])('marks a failed call with its kind: %s', async (kind, fault) => {
    await expect(inModelSpan('acme', call, () => Promise.reject(fault))).rejects.toBe(fault);
    const [span] = exporter.getFinishedSpans();
    expect(span).toMatchObject({ status: { code: 2 }, attributes: { 'error.type': kind } });
  });
});
