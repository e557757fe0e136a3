import type { Context } from '@lensforge/core';
import type { DataSource } from 'typeorm';

/** What the platform lets an account have. The same in all processes. */
export interface RunLimits {
  /** Runs of an account that are given to the workers at once; the others wait in Postgres. */
  atOnce: number;
  /** Runs of an account that have not ended. */
  backlog: number;
  /** How long a run may wait for its start where it does not say so itself; as long as it may execute when absent. */
  queueMs?: number;
  /** How long a run may execute where nobody says so. */
  executionMs?: number;
  /** How long a tracking record waits for the report of its caller; a day when absent. */
  trackingMs?: number;
}

const usual: RunLimits = { atOnce: 50, backlog: 20_000 };
const known = new WeakMap<DataSource, RunLimits>();

/** Once, at the start of a process. */
export function limitRuns(source: DataSource, limits: RunLimits): void {
  known.set(source, Object.freeze({ ...limits }));
}

export const runLimitsOf = (ctx: Context): RunLimits => known.get(ctx.db.dataSource) ?? usual;
