import type { Registry } from 'prom-client';
import { Counter, Gauge, Histogram } from 'prom-client';

export type NodeEnd = 'succeeded' | 'failed' | 'timed_out' | 'waiting' | 'retried' | 'released' | 'lost';

export interface NodeMetrics {
  ended(type: string, outcome: NodeEnd, tookMs: number): void;
  /** A job for a node that somebody else has, or that needs no worker any more. */
  ignored(): void;
  fenced(): void;
}

const durations = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];

export function nodeMetrics(registry: Registry, inHand: () => number): NodeMetrics {
  const registers = [registry];
  const duration = new Histogram({
    name: 'lensforge_node_duration_seconds',
    help: 'From the claim of a node until it left the hands of this worker',
    labelNames: ['type', 'outcome'],
    buckets: durations,
    registers,
  });
  const ignored = new Counter({
    name: 'lensforge_node_jobs_ignored_total',
    help: 'Jobs that came late, twice or for a node that needs no worker',
    registers,
  });
  const fenced = new Counter({
    name: 'lensforge_node_fenced_writes_total',
    help: 'Ends of nodes that counted for nothing because the attempt no longer held them',
    registers,
  });
  new Gauge({
    name: 'lensforge_nodes_in_hand',
    help: 'Nodes that this worker is executing',
    registers,
    collect() {
      this.set(inHand());
    },
  });
  return {
    ended: (type, outcome, tookMs) => duration.observe({ type, outcome }, tookMs / 1000),
    ignored: () => ignored.inc(),
    fenced: () => fenced.inc(),
  };
}
