/** A delivery whose workers vanish this often is given up: it may be what makes them vanish. */
export const MOST_LOST_ATTEMPTS = 10;

/** For how long an endpoint may do nothing but fail. */
export const FAILING_DAYS = 3;

/** Deliveries to an endpoint that fails are held back for no longer than this at a time. */
export const BREAKER_MOST_MS = 60_000;
