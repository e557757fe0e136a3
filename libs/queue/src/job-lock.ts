/** The lock duration of a job. A live worker renews the lock after half of it. */
export const jobLockMs = 30_000;
