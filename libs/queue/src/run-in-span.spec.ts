import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { context, propagation, trace } from '@opentelemetry/api';
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
import { RunningJob } from './running-job.js';
import { runInSpan } from './run-in-span.js';

describe('runInSpan', () => {
  const exporter = new InMemorySpanExporter();
  const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  const traceId = '0af7651916cd43dd8448eb211c80319c';

  beforeAll(() => provider.register());
  afterAll(async () => {
    for (const api of [trace, context, propagation]) api.disable();
    await provider.shutdown();
  });

  const aJob = () => {
    const trace = { traceparent: `00-${traceId}-b7ad6b7169203331-01`, requestId: 'r' };
    return new RunningJob('runs', { id: 'x-g0', name: 'run.execute', timestamp: 0, dueAt: 0, ...trace }, () =>
      Promise.resolve(true),
    );
  };

  it('continues the trace of the job and gives the handler its own span', async () => {
    const job = aJob();
    let activeTraceId: string | undefined;
    await runInSpan(job, async () => {
      activeTraceId = trace.getActiveSpan()?.spanContext().traceId;
    });
    const [span] = exporter.getFinishedSpans();
    expect(activeTraceId).toBe(traceId);
    expect(span).toMatchObject({ name: 'process run.execute', parentSpanContext: { spanId: 'b7ad6b7169203331' } });
    expect(job.traceparent).toBe(`00-${traceId}-${span!.spanContext().spanId}-01`);
  });

  it('marks the span of a failed job as an error', async () => {
    exporter.reset();
    await expect(runInSpan(aJob(), () => Promise.reject(new Error('no such lens')))).rejects.toThrow('no such lens');
    expect(exporter.getFinishedSpans()[0]).toMatchObject({ status: { code: 2 }, events: [{ name: 'exception' }] });
  });
});
