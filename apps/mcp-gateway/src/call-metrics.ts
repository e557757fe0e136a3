import type { Logger, Metrics } from '@lensforge/edge';
import { Counter, Histogram } from 'prom-client';
import type { CallRecord } from './tool-calls.js';

/** Records each tool call in the metrics and the log. */
export function recordCalls({ logger, metrics }: { logger: Logger; metrics: Metrics }): (record: CallRecord) => void {
  const registers = [metrics.registry];
  const calls = new Counter({
    name: 'lensforge_tool_calls_total',
    help: 'Tool calls by outcome',
    labelNames: ['tool', 'class', 'outcome'],
    registers,
  });
  const durations = new Histogram({
    name: 'lensforge_tool_call_duration_seconds',
    help: 'Duration of tool calls, from the arguments to the result',
    labelNames: ['tool', 'class'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  return ({ ctx, tool, class: kind, outcome, durationMs, session }) => {
    calls.inc({ tool, class: kind, outcome });
    durations.observe({ tool, class: kind }, durationMs / 1000);
    logger.info(
      {
        requestId: ctx.requestId,
        tool,
        class: kind,
        outcome,
        durationMs: Math.round(durationMs * 10) / 10,
        account: ctx.actor.accountId,
        credential: ctx.actor.credential.kind,
        ...(session !== undefined && { session }),
      },
      'tool call',
    );
  };
}
