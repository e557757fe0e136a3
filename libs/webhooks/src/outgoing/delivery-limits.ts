/** A delivery is exhausted after this many lost dispatchers, because it may be what crashes them. */
export const MAX_LOST_ATTEMPTS = 10;

/** An endpoint is disabled after this many days without a success. */
export const FAILING_DAYS = 3;

/** The longest time for which the circuit breaker of an endpoint stays open. */
export const MAX_BREAKER_MS = 60_000;
