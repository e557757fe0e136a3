import type { TaskReport } from '@lensforge/sandbox';
import type { DataSource } from 'typeorm';
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';

/** Each sample wakes the process. The reported delays contain this time. */
const eventLoopSampleMs = 50;

/** The metrics of one service. Services register their own in `registry`. */
export class Metrics {
  readonly requests: Histogram<'method' | 'route' | 'status'>;
  readonly rateLimited: Counter<'class'>;
  readonly rateLimitedLocally: Counter<'class'>;
  private readonly sandboxTasks: Counter<'task' | 'outcome'>;
  private readonly sandboxSeconds: Histogram<'task'>;
  private readonly sandboxWait: Histogram<'task'>;

  constructor(
    service: string,
    readonly registry: Registry = new Registry(),
  ) {
    registry.setDefaultLabels({ service });
    const registers = [registry];
    this.requests = new Histogram({
      name: 'lensforge_http_request_duration_seconds',
      help: 'Time from the first byte of a request to the last byte of its response',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    });
    this.rateLimited = new Counter({
      name: 'lensforge_rate_limited_total',
      help: 'Requests refused because a rate limit was used up',
      labelNames: ['class'],
      registers,
    });
    this.rateLimitedLocally = new Counter({
      name: 'lensforge_rate_limit_without_redis_total',
      help: 'Requests counted by this process alone because Redis was unavailable or slow',
      labelNames: ['class'],
      registers,
    });
    this.sandboxTasks = new Counter({
      name: 'lensforge_sandbox_tasks_total',
      help: 'Sandbox tasks by outcome: ok, or the limit that was exceeded',
      labelNames: ['task', 'outcome'],
      registers,
    });
    const buckets = [0.001, 0.01, 0.1, 0.5, 1, 5];
    this.sandboxSeconds = new Histogram({
      name: 'lensforge_sandbox_task_duration_seconds',
      help: 'CPU time of sandbox tasks',
      labelNames: ['task'],
      buckets,
      registers,
    });
    this.sandboxWait = new Histogram({
      name: 'lensforge_sandbox_task_wait_seconds',
      help: 'Time that tasks waited for a sandbox process',
      labelNames: ['task'],
      buckets,
      registers,
    });
  }

  sandboxTask({ task, outcome, usedMs, waitedMs }: TaskReport): void {
    this.sandboxTasks.inc({ task, outcome });
    this.sandboxSeconds.observe({ task }, usedMs / 1000);
    this.sandboxWait.observe({ task }, waitedMs / 1000);
  }

  collectProcess(): void {
    collectDefaultMetrics({ register: this.registry, eventLoopMonitoringPrecision: eventLoopSampleMs });
  }

  watchPool(database: DataSource): void {
    const pool = (database.driver as unknown as { master: Record<'totalCount' | 'idleCount' | 'waitingCount', number> })
      .master;
    new Gauge({
      name: 'lensforge_database_pool_connections',
      help: 'Database connections of the pool in use and idle, and callers waiting for one',
      labelNames: ['state'],
      registers: [this.registry],
      collect() {
        this.set({ state: 'busy' }, pool.totalCount - pool.idleCount);
        this.set({ state: 'idle' }, pool.idleCount);
        this.set({ state: 'waiting' }, pool.waitingCount);
      },
    });
  }
}
