/** How long after it was due the job of a delivery is awaited before another one is made. */
export const JOB_LEASE_MS = 5_000;

/** A delivery whose workers vanish this often is given up: it may be what makes them vanish. */
export const MOST_LOST_ATTEMPTS = 10;

/** For how long an endpoint may do nothing but fail. */
export const FAILING_DAYS = 3;
