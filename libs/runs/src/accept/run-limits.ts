import type { Context } from '@lensforge/core';
import type { DataSource } from 'typeorm';

/** Limits of the runs of an account. All processes must use the same values. */
export interface RunLimits {
  /** Slots: admitted runs of an account at a time; further runs wait in PostgreSQL. */
  atOnce: number;
  /** The most runs of an account that have not ended. */
  backlog: number;
  /** The default time limit for the start of a run; by default its execution time limit. */
  queueMs?: number;
  /** The default time limit of an execution. */
  executionMs?: number;
  /** The time limit for the report of a tracking record; by default a day. */
  trackingMs?: number;
}

const defaultLimits: RunLimits = { atOnce: 50, backlog: 20_000 };
const limitsOf = new WeakMap<DataSource, RunLimits>();

/** Sets the limits of a database; called once at process start. */
export function limitRuns(source: DataSource, limits: RunLimits): void {
  limitsOf.set(source, Object.freeze({ ...limits }));
}

export const runLimitsOf = (ctx: Context): RunLimits => limitsOf.get(ctx.db.dataSource) ?? defaultLimits;
