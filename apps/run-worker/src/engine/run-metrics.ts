import { Counter, Histogram, type Registry } from 'prom-client';
import { type AttemptMetrics, attemptMetrics } from './attempt-metrics.js';

export type RunOutcome =
  | 'succeeded'
  | 'failed'
  | 'canceled'
  | 'timed_out'
  | 'retried'
  | 'deferred'
  | 'released'
  | 'lost'
  | 'planned';

export interface RunMetrics extends AttemptMetrics {
  ended(outcome: RunOutcome, tookMs: number): void;
}

const durations = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600];

export function runMetrics(registry: Registry): RunMetrics {
  const registers = [registry];
  const runs = new Counter({
    name: 'lensforge_runs_total',
    help: 'Attempts of runs that ended in this worker, by outcome',
    labelNames: ['outcome'],
    registers,
  });
  const duration = new Histogram({
    name: 'lensforge_run_duration_seconds',
    help: 'Duration of attempts of runs, from the claim to the end',
    labelNames: ['outcome'],
    buckets: durations,
    registers,
  });
  const counted = attemptMetrics(registry, {
    ignored: {
      name: 'lensforge_run_jobs_ignored_total',
      help: 'Jobs that were late, repeated, or for a run that needs no worker',
    },
    fenced: {
      name: 'lensforge_fenced_writes_total',
      help: 'Writes that changed nothing because the run belongs to another attempt',
    },
  });
  return {
    ...counted,
    ended: (outcome, tookMs) => {
      runs.inc({ outcome });
      duration.observe({ outcome }, tookMs / 1000);
    },
  };
}
