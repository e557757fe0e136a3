import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { trace } from '@opentelemetry/api';
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
import { RunningJob } from './running-job.js';
import { traced } from './traced.js';

describe('tracing a job', () => {
  const exporter = new InMemorySpanExporter();
  const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  const traceId = '0af7651916cd43dd8448eb211c80319c';

  beforeAll(() => provider.register());
  afterAll(() => provider.shutdown());

  const aJob = () => {
    const data = { traceparent: `00-${traceId}-b7ad6b7169203331-01`, requestId: 'r' };
    return new RunningJob('runs', { id: 'x-g0', name: 'run.execute', timestamp: 0, opts: {}, data } as never);
  };

  it('continues the trace of whoever asked, and the handler passes its own span on', async () => {
    const job = aJob();
    let within: string | undefined;
    await traced(job, async () => {
      within = trace.getActiveSpan()?.spanContext().traceId;
    });
    const [span] = exporter.getFinishedSpans();
    expect(within).toBe(traceId);
    expect(span).toMatchObject({ name: 'process run.execute', parentSpanContext: { spanId: 'b7ad6b7169203331' } });
    expect(job.traceparent).toBe(`00-${traceId}-${span!.spanContext().spanId}-01`);
  });

  it('marks the span of a job that failed', async () => {
    exporter.reset();
    await expect(traced(aJob(), () => Promise.reject(new Error('no such lens')))).rejects.toThrow('no such lens');
    expect(exporter.getFinishedSpans()[0]).toMatchObject({ status: { code: 2 }, events: [{ name: 'exception' }] });
  });
});
