import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { context, propagation, trace } from '@opentelemetry/api';
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
import { inSpan } from '@lensforge/edge';
import { ProviderFault } from '../providers/provider.js';
import { finalFailure } from '../agents/agent-failure.js';
import { inAgentSpan, inToolSpan } from '../agents/agent-spans.js';
import { inModelSpan } from './genai-spans.js';

describe('spans of calls of models, agents and tools', () => {
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
      'gen_ai.request.stream': true,
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

  it('name the version of the lens, and everything that the request set', async () => {
    const read = { usage: { input: 1, output: 2, reasoning: 1 }, finishReason: 'stop' };
    const sampling = { topP: 0.9, seed: 7, stop: ['END'] };
    const lens = { id: 'lens-1', semver: '1.2.0' };
    await inModelSpan('google', { ...call, sampling, lens, isJson: true }, () => Promise.resolve(read));
    expect(exporter.getFinishedSpans()[0]?.attributes).toMatchObject({
      'gen_ai.provider.name': 'gcp.gemini',
      'gen_ai.request.top_p': 0.9,
      'gen_ai.request.seed': 7,
      'gen_ai.request.stop_sequences': ['END'],
      'gen_ai.output.type': 'json',
      'gen_ai.prompt.name': 'lens:lens-1',
      'lensforge.prompt.version': '1.2.0',
      'gen_ai.response.finish_reasons': ['stop'],
      'gen_ai.usage.reasoning.output_tokens': 1,
    });
  });

  it('nest in each other: an agent performs a tool, which fails with its code', async () => {
    const fault = finalFailure('LIMIT_REACHED', 'secret details');
    const working = inAgentSpan({ id: 'agent-1', handle: 'critic' }, { provider: 'acme', model: 'large' }, () =>
      inToolSpan({ name: 'run_lens', callId: 'call-1', isExternal: false }, () => Promise.reject(fault)),
    );
    await expect(inSpan('process node', {}, () => working)).rejects.toBe(fault);
    const [tool, agent] = exporter.getFinishedSpans();
    expect([tool?.name, tool?.kind, tool?.attributes]).toEqual([
      'execute_tool run_lens',
      0,
      {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': 'run_lens',
        'gen_ai.tool.call.id': 'call-1',
        'gen_ai.tool.type': 'function',
        'error.type': 'LIMIT_REACHED',
      },
    ]);
    expect([agent?.name, agent?.attributes]).toEqual([
      'invoke_agent critic',
      {
        'gen_ai.operation.name': 'invoke_agent',
        'gen_ai.provider.name': 'acme',
        'gen_ai.request.model': 'large',
        'gen_ai.agent.id': 'agent-1',
        'gen_ai.agent.name': 'critic',
        'error.type': 'LIMIT_REACHED',
      },
    ]);
    expect(tool?.parentSpanContext?.spanId).toBe(agent?.spanContext().spanId);
    expect(JSON.stringify([tool?.attributes, agent?.attributes])).not.toContain('secret');
  });
});
