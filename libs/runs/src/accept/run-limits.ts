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

export const defaultRunLimits: RunLimits = { atOnce: 50, backlog: 20_000 };
