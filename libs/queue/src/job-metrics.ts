import type { Registry } from 'prom-client';
import { gauge, histogram } from './metrics.js';
import type { RunningJob } from './running-job.js';

export type JobOutcome = 'done' | 'failed' | 'refused';

export interface JobMetrics {
  started(job: RunningJob): void;
  ended(job: RunningJob, outcome: JobOutcome, tookMs: number): void;
}

const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 600];

export function jobMetrics(registry: Registry): JobMetrics {
  const waitTime = histogram(registry, {
    name: 'lensforge_job_wait_seconds',
    help: 'Seconds from when a job was added (or due) until a worker took it',
    labelNames: ['queue', 'job'],
    buckets,
  });
  const duration = histogram(registry, {
    name: 'lensforge_job_duration_seconds',
    help: 'Seconds that a job handler took, by outcome: done, failed, or refused for its payload',
    labelNames: ['queue', 'job', 'outcome'],
    buckets,
  });
  const running = gauge(registry, {
    name: 'lensforge_jobs_running',
    help: 'Jobs running in this process',
    labelNames: ['queue'],
  });
  return {
    started: ({ queue, name, dueAt }) => {
      waitTime.observe({ queue, job: name }, Math.max(0, Date.now() - dueAt) / 1000);
      running.inc({ queue });
    },
    ended: ({ queue, name }, outcome, tookMs) => {
      duration.observe({ queue, job: name, outcome }, tookMs / 1000);
      running.dec({ queue });
    },
  };
}
