/** The result of one HTTP call to an endpoint. */
export interface AttemptResult {
  /** Null when there was no response. */
  status: number | null;
  /** The reason of a failure that the status does not show. */
  error: string | null;
  detail: string | null;
  retryAfter: string | null;
  answer: Buffer;
  durationMs: number;
}

export type AttemptOutcome =
  | { state: 'delivered' }
  | { state: 'pending'; waitMs: number }
  | { state: 'exhausted'; endpointIsGone: boolean };

export interface RetryPlan {
  /** The delays before the second and later attempts. */
  retryMs: readonly number[];
  now: Date;
  /** Returns a number from 0 to 1. */
  random: () => number;
}

const GONE = 410;
const MAX_WAIT_MS = 3_600_000;
const MIN_WAIT_MS = 1_000;

/** Decides whether a delivery is done, retried or exhausted. `tries` counts the attempts before this one. */
export function classifyAttempt(
  result: AttemptResult,
  tries: number,
  { retryMs, now, random }: RetryPlan,
): AttemptOutcome {
  const { status, error, retryAfter } = result;
  if (error === null && status !== null && status >= 200 && status < 300) return { state: 'delivered' };
  if (status === GONE) return { state: 'exhausted', endpointIsGone: true };
  const wait = retryMs[tries];
  if (wait === undefined) return { state: 'exhausted', endpointIsGone: false };
  const requested = status === 429 || status === 503 ? parseRetryAfter(retryAfter, now) : undefined;
  return { state: 'pending', waitMs: requested ?? jittered(wait, random()) };
}

// Jitter of 20 % down and 15 % up; the rest of the upper 20 % is left for the delay of outbox and queue.
const jittered = (wait: number, random: number): number => Math.round(wait * (0.8 + 0.35 * random));

/** Parses Retry-After (seconds or an HTTP date) into a delay in milliseconds, between a second and an hour. */
export function parseRetryAfter(value: string | null, now: Date): number | undefined {
  if (value === null) return undefined;
  const text = value.trim();
  const wait = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : httpDate(text) - now.getTime();
  return Number.isNaN(wait) ? undefined : Math.min(Math.max(wait, MIN_WAIT_MS), MAX_WAIT_MS);
}

const httpDate = (text: string): number =>
  /^[A-Z][a-z]{2,8},? .*\d{2}:\d{2}:\d{2}/.test(text) ? Date.parse(text) : NaN;
