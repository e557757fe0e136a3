/** What came of one call. */
export interface AttemptResult {
  /** Null when there was no answer. */
  status: number | null;
  /** Why the call failed in spite of its status, or without one. */
  error: string | null;
  detail: string | null;
  retryAfter: string | null;
  answer: Buffer;
  durationMs: number;
}

export type Verdict =
  { state: 'delivered' } | { state: 'pending'; waitMs: number } | { state: 'exhausted'; endpointIsGone: boolean };

export interface RetryPlan {
  /** The waits before the second and every further try. */
  retryMs: readonly number[];
  now: Date;
  /** From 0 to 1. */
  random: () => number;
}

const GONE = 410;
const LONGEST_WAIT = 3_600_000;
const SHORTEST_WAIT = 1_000;

/** `tries` is the number of attempts before this one. */
export function judgeAttempt(result: AttemptResult, tries: number, { retryMs, now, random }: RetryPlan): Verdict {
  const { status, error, retryAfter } = result;
  if (error === null && status !== null && status >= 200 && status < 300) return { state: 'delivered' };
  if (status === GONE) return { state: 'exhausted', endpointIsGone: true };
  const wait = retryMs[tries];
  if (wait === undefined) return { state: 'exhausted', endpointIsGone: false };
  const asked = status === 429 || status === 503 ? readRetryAfter(retryAfter, now) : undefined;
  return { state: 'pending', waitMs: asked ?? jittered(wait, random()) };
}

// Up to a fifth off; upwards a little of that is left for the way through outbox and queue.
const jittered = (wait: number, random: number): number => Math.round(wait * (0.8 + 0.35 * random));

/** Seconds or an HTTP date, as a wait in milliseconds between a second and an hour. */
export function readRetryAfter(value: string | null, now: Date): number | undefined {
  if (value === null) return undefined;
  const text = value.trim();
  const wait = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : httpDate(text) - now.getTime();
  return Number.isNaN(wait) ? undefined : Math.min(Math.max(wait, SHORTEST_WAIT), LONGEST_WAIT);
}

const httpDate = (text: string): number =>
  /^[A-Z][a-z]{2,8},? .*\d{2}:\d{2}:\d{2}/.test(text) ? Date.parse(text) : NaN;
