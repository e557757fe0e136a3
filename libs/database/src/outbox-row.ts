/** A row that becomes a job; written in the transaction that causes it. */
export interface OutboxRow {
  id: string;
  job: string;
  jobId: string;
  payload: Record<string, unknown>;
  requestId: string | null;
  traceparent: string | null;
  /** The time at which the job is due; the outbox publisher derives the delay. */
  availableAt: Date;
  /** 1 is the highest; jobs without a priority come before all others. */
  priority?: number | null;
  /** The number of claims so far. */
  tries?: number;
}
