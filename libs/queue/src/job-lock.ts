/** How long a job stays with a worker that is no longer heard of; one that lives renews its locks after half of it. */
export const jobLockMs = 30_000;
