import type { Registry } from 'prom-client';
import { Counter, Gauge, Histogram } from 'prom-client';

export type RunOutcome =
  'succeeded' | 'failed' | 'canceled' | 'timed_out' | 'retried' | 'released' | 'lost' | 'planned';

export interface RunMetrics {
  ended(outcome: RunOutcome, tookMs: number): void;
  /** A job for a run that somebody else has, or that needs no worker any more. */
  ignored(): void;
  fenced(): void;
}

const durations = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600];

export function runMetrics(registry: Registry, inHand: () => number): RunMetrics {
  const registers = [registry];
  const runs = new Counter({
    name: 'lensforge_runs_total',
    help: 'Runs that left the hands of this worker, by how',
    labelNames: ['outcome'],
    registers,
  });
  const duration = new Histogram({
    name: 'lensforge_run_duration_seconds',
    help: 'From the claim of a run until it left the hands of this worker',
    labelNames: ['outcome'],
    buckets: durations,
    registers,
  });
  const ignored = new Counter({
    name: 'lensforge_run_jobs_ignored_total',
    help: 'Jobs that came late, twice or for a run that needs no worker',
    registers,
  });
  const fenced = new Counter({
    name: 'lensforge_fenced_writes_total',
    help: 'Writes that matched no row because the attempt no longer held its run',
    registers,
  });
  new Gauge({
    name: 'lensforge_runs_in_hand',
    help: 'Runs that this worker is executing',
    registers,
    collect() {
      this.set(inHand());
    },
  });
  return {
    ended: (outcome, tookMs) => {
      runs.inc({ outcome });
      duration.observe({ outcome }, tookMs / 1000);
    },
    ignored: () => ignored.inc(),
    fenced: () => fenced.inc(),
  };
}
