import { Counter, Gauge, type Registry } from 'prom-client';

interface Description {
  name: string;
  help: string;
}

/** Metrics that runs and nodes have in common. */
export interface AttemptMetrics {
  /** Counts a job for a run or node that another worker has or that needs no worker. */
  ignored(): void;
  /** Counts a write that changed nothing because the run or node belongs to another attempt. */
  fenced(): void;
}

export function attemptMetrics(
  registry: Registry,
  { ignored, fenced }: { ignored: Description; fenced: Description },
): AttemptMetrics {
  const registers = [registry];
  const ignoredJobs = new Counter({ ...ignored, registers });
  const fencedWrites = new Counter({ ...fenced, registers });
  return { ignored: () => ignoredJobs.inc(), fenced: () => fencedWrites.inc() };
}

/** A gauge of the attempts that this process holds. */
export function gaugeOfAttempts(registry: Registry, description: Description, held: { readonly size: number }): void {
  new Gauge({
    ...description,
    registers: [registry],
    collect() {
      this.set(held.size);
    },
  });
}
