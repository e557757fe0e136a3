import type { Context } from '@lensforge/core';
import { perDatabase } from '@lensforge/database';
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
  /** The announced number of processes that accept lens runs at the same time. */
  processes?: number;
  /** The time limit for the report of a tracking record; by default a day. */
  trackingMs?: number;
}

const limits = perDatabase((): RunLimits => ({ atOnce: 50, backlog: 20_000 }));

export const getRunLimits = (ctx: Pick<Context, 'db'>): RunLimits => limits.of(ctx);

export const setRunLimits = (source: DataSource, value: RunLimits): void => limits.set(source, value);

const defaultExecutionMs = 600_000;

/** The time limit of an execution for which the caller requests none. */
export const getExecutionMs = (ctx: Context): number => getRunLimits(ctx).executionMs ?? defaultExecutionMs;
