/** The data of a job in Redis. */
export interface StoredJob {
  payload: object;
  requestId?: string;
  traceparent?: string;
}
