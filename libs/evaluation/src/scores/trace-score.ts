import type { RunScore } from '@lensforge/contracts';
import { trace } from '@opentelemetry/api';

/** Sends a score as the event that the OpenTelemetry conventions have for it. Reasons are texts about answers, and not in it. */
export function traceScore(
  runId: string,
  { name, source, score, pass, error }: Pick<RunScore, 'name' | 'source' | 'score' | 'pass' | 'error'>,
): void {
  const span = trace.getTracer('lensforge').startSpan('evaluate');
  span.addEvent('gen_ai.evaluation.result', {
    'gen_ai.evaluation.name': name,
    ...(score !== null && { 'gen_ai.evaluation.score.value': score }),
    ...(pass !== null && { 'gen_ai.evaluation.score.label': pass ? 'pass' : 'fail' }),
    'gen_ai.response.id': runId,
    ...(error !== null && { 'error.type': 'not_scored' }),
    'lensforge.score.source': source,
  });
  span.end();
}
