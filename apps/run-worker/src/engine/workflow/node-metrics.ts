import { Histogram, type Registry } from 'prom-client';
import { type AttemptMetrics, attemptMetrics } from '../attempt-metrics.js';

export type NodeEnd = 'succeeded' | 'failed' | 'timed_out' | 'waiting' | 'retried' | 'released' | 'lost';

export interface NodeMetrics extends AttemptMetrics {
  ended(type: string, outcome: NodeEnd, tookMs: number): void;
}

const durations = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];

export function nodeMetrics(registry: Registry): NodeMetrics {
  const duration = new Histogram({
    name: 'lensforge_node_duration_seconds',
    help: 'Duration of attempts of nodes, from the claim to the end',
    labelNames: ['type', 'outcome'],
    buckets: durations,
    registers: [registry],
  });
  const counted = attemptMetrics(registry, {
    ignored: {
      name: 'lensforge_node_jobs_ignored_total',
      help: 'Jobs that were late, repeated, or for a node that needs no worker',
    },
    fenced: {
      name: 'lensforge_node_fenced_writes_total',
      help: 'Results of nodes that changed nothing because the node belongs to another attempt',
    },
  });
  return { ...counted, ended: (type, outcome, tookMs) => duration.observe({ type, outcome }, tookMs / 1000) };
}
