import type { Registry } from 'prom-client';
import { Counter, Gauge, Histogram } from 'prom-client';

export type NodeEnd = 'succeeded' | 'failed' | 'timed_out' | 'waiting' | 'retried' | 'released' | 'lost';

export interface NodeMetrics {
  ended(type: string, outcome: NodeEnd, tookMs: number): void;
  /** Counts a job for a node that another worker has or that needs no worker. */
  ignored(): void;
  fenced(): void;
}

const durations = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];

export function nodeMetrics(registry: Registry, held: () => number): NodeMetrics {
  const registers = [registry];
  const duration = new Histogram({
    name: 'lensforge_node_duration_seconds',
    help: 'Duration of attempts of nodes, from the claim to the end',
    labelNames: ['type', 'outcome'],
    buckets: durations,
    registers,
  });
  const ignored = new Counter({
    name: 'lensforge_node_jobs_ignored_total',
    help: 'Jobs that were late, repeated, or for a node that needs no worker',
    registers,
  });
  const fenced = new Counter({
    name: 'lensforge_node_fenced_writes_total',
    help: 'Results of nodes that changed nothing because the node belongs to another attempt',
    registers,
  });
  new Gauge({
    name: 'lensforge_nodes_in_hand',
    help: 'Nodes that this worker is executing',
    registers,
    collect() {
      this.set(held());
    },
  });
  return {
    ended: (type, outcome, tookMs) => duration.observe({ type, outcome }, tookMs / 1000),
    ignored: () => ignored.inc(),
    fenced: () => fenced.inc(),
  };
}
