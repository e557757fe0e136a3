import { isRecord } from '@lensforge/contracts';
import type { Allowance, Rates } from './provider.js';

type Headers = Readonly<Record<string, string | undefined>>;

/** Longer times in headers are cut to this. */
const maxMs = 86_400_000;

/** The rate limits in the headers of an answer; `now` is the wall clock. */
export function ratesIn(headers: Headers, now: number): Rates {
  const anthropic = (what: string): Allowance | undefined =>
    allowance(
      headers[`anthropic-ratelimit-${what}-limit`],
      headers[`anthropic-ratelimit-${what}-remaining`],
      untilMoment(headers[`anthropic-ratelimit-${what}-reset`], now),
    );
  const openai = (what: string): Allowance | undefined =>
    allowance(
      headers[`x-ratelimit-limit-${what}`],
      headers[`x-ratelimit-remaining-${what}`],
      duration(headers[`x-ratelimit-reset-${what}`]),
    );
  return {
    requests: openai('requests') ?? anthropic('requests'),
    tokens: openai('tokens') ?? anthropic('input-tokens') ?? anthropic('tokens'),
  };
}

/** The wait before a retry: seconds or a date in the headers, or the delay in the body of Google. */
export function retryAfterIn(headers: Headers, body: unknown, now: number): number | undefined {
  const inMs = numberIn(headers['retry-after-ms']);
  if (inMs !== undefined) return Math.min(inMs, maxMs);
  const after = headers['retry-after'];
  const seconds = numberIn(after);
  if (seconds !== undefined) return Math.min(seconds * 1000, maxMs);
  return untilMoment(after, now) ?? retryDelayIn(body);
}

function retryDelayIn(body: unknown): number | undefined {
  const error = isRecord(body) ? body['error'] : undefined;
  const details = isRecord(error) ? error['details'] : undefined;
  if (!Array.isArray(details)) return undefined;
  const delays = details.map((detail: unknown) => (isRecord(detail) ? detail['retryDelay'] : undefined));
  const delay = delays.find((each) => typeof each === 'string');
  return typeof delay === 'string' ? duration(delay) : undefined;
}

function allowance(limit?: string, remaining?: string, resetMs?: number): Allowance | undefined {
  const left = numberIn(remaining);
  return left === undefined || resetMs === undefined ? undefined : { limit: numberIn(limit), remaining: left, resetMs };
}

const numberIn = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,15}(\.\d{1,15})?$/.test(text.trim()) ? Number(text) : undefined;

function untilMoment(text: string | undefined, now: number): number | undefined {
  const at = text !== undefined && text.length < 64 && /[a-z]/i.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(at) ? undefined : Math.min(Math.max(0, at - now), maxMs);
}

const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `6m0s`, `1s`, `20ms`, `1h2m3.5s`. */
function duration(text: string | undefined): number | undefined {
  if (text === undefined || text.length > 40 || !/^(\d+(\.\d+)?(ms|s|m|h|d))+$/.test(text)) return undefined;
  const parts = text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g);
  let sum = 0;
  for (const [, amount, unit = ''] of parts) sum += Number(amount) * (units[unit] ?? 0);
  return Math.min(sum, maxMs);
}
