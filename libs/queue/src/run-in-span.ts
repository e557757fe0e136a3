import { context, propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { RunningJob } from './running-job.js';

/** Runs the work in a consumer span that continues the job's trace. */
export function runInSpan(job: RunningJob, work: () => Promise<void>): Promise<void> {
  const parent = job.traceparent ? propagation.extract(ROOT_CONTEXT, { traceparent: job.traceparent }) : ROOT_CONTEXT;
  const attributes = {
    'messaging.system': 'bullmq',
    'messaging.operation.type': 'process',
    'messaging.destination.name': job.queue,
    'messaging.message.id': job.id,
    'lensforge.request_id': job.requestId,
  };
  return trace
    .getTracer('@lensforge/queue')
    .startActiveSpan(`process ${job.name}`, { kind: SpanKind.CONSUMER, attributes }, parent, async (span) => {
      if (span.isRecording()) job.traceparent = activeTraceparent() ?? job.traceparent;
      try {
        await work();
      } catch (reason) {
        span.recordException(reason instanceof Error ? reason : String(reason));
        span.setStatus({ code: SpanStatusCode.ERROR });
        throw reason;
      } finally {
        span.end();
      }
    });
}

function activeTraceparent(): string | undefined {
  const carrier: Record<string, string> = {};
  propagation.inject(context.active(), carrier);
  return carrier['traceparent'];
}
