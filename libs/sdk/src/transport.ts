import type { CallOptions } from './call.js';
import { readVariable } from './environment.js';
import { ApiError, ConnectionError, LensforgeError, TimeoutError, toApiError } from './errors.js';

export interface ClientOptions {
  /** A token, or a function that returns the current one; LENSFORGE_API_KEY when absent. */
  apiKey?: string | (() => string | undefined | Promise<string | undefined>) | undefined;
  /** The address of the REST API; LENSFORGE_API_URL, or that of `npm start`, when absent. */
  baseUrl?: string | undefined;
  /** Milliseconds for one attempt; 60,000 when absent. */
  timeoutMs?: number | undefined;
  /** Attempts after the first, of requests that are safe to repeat; 2 when absent. */
  maxRetries?: number | undefined;
  /** Headers of every request. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Another implementation of fetch. */
  fetch?: typeof fetch | undefined;
}

export interface OutgoingRequest {
  method: string;
  /** With its query. */
  path: string;
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
  /** True when a repeated request has no further effect. */
  repeatable: boolean;
  /** The caller reads the body, in its own time. */
  streams?: true;
  options: CallOptions;
}

export interface Answer {
  response: Response;
  text: string;
  /** Detaches a body that was read from the signal of the call. */
  done: () => void;
}

const version = '0.2.0';
const firstDelayMs = 500;
const maxDelayMs = 8000;
/** A longer Retry-After is left to the caller. */
const maxRetryAfter = 60;
const retriedStatuses = [408, 429, 500, 502, 503, 504];

/** The delay before an attempt: twice as long each time, with a jitter of a quarter, and at least Retry-After. */
export const delayMs = (attempt: number, retryAfter = 0): number =>
  Math.max(retryAfter * 1000, Math.min(maxDelayMs, firstDelayMs * 2 ** attempt) * (0.75 + Math.random() / 2));

/** Resolves after the delay; rejects with the reason of the signal. */
export const pause = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(toAbortReason(signal));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });

/** The error with which an aborted call rejects. */
export const toAbortReason = (signal: AbortSignal | undefined): Error =>
  signal?.reason instanceof Error ? signal.reason : new LensforgeError('The call was aborted');

/** Sends requests with the credential of a client. */
export class Transport {
  private readonly baseUrl: string;
  private readonly apiKey: NonNullable<ClientOptions['apiKey']> | undefined;
  private readonly headers: Record<string, string>;
  private readonly fetch: typeof fetch;
  private readonly timeoutMs: number;
  private readonly maxRetries: number;

  constructor({ apiKey, baseUrl, timeoutMs = 60_000, maxRetries = 2, headers, fetch: other }: ClientOptions) {
    this.baseUrl = (baseUrl ?? readVariable('LENSFORGE_API_URL') ?? 'http://127.0.0.1:4000').replace(/(?<!\/)\/+$/, '');
    this.apiKey = apiKey ?? readVariable('LENSFORGE_API_KEY');
    // Browsers have a user agent of their own; another header would need a CORS preflight.
    const agent = 'document' in globalThis ? undefined : { 'user-agent': `lensforge-sdk/${version}` };
    this.headers = { accept: 'application/json', ...agent, ...headers };
    this.fetch = other ?? ((input, init) => fetch(input, init));
    this.timeoutMs = timeoutMs;
    this.maxRetries = maxRetries;
  }

  /** The answer to a request; rejects with an ApiError for a status of 400 and more. */
  async send(request: OutgoingRequest): Promise<Answer> {
    const { repeatable, options } = request;
    const retries = repeatable ? (options.maxRetries ?? this.maxRetries) : 0;
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await this.attempt(request);
      } catch (error) {
        if (attempt >= retries || options.signal?.aborted || !mayRetry(error)) throw error;
        await pause(delayMs(attempt, error instanceof ApiError ? error.retryAfter : 0), options.signal);
      }
    }
  }

  private async attempt(request: OutgoingRequest): Promise<Answer> {
    const { method, path, body, headers, streams, options } = request;
    const { signal, timeoutMs = this.timeoutMs } = options;
    if (signal?.aborted) throw toAbortReason(signal);
    const token = typeof this.apiKey === 'function' ? await this.apiKey() : this.apiKey;
    const controller = new AbortController();
    const abort = (): void => controller.abort(toAbortReason(signal));
    signal?.addEventListener('abort', abort, { once: true });
    const timer = setTimeout(() => controller.abort(), timeoutMs);
    const done = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    };
    try {
      const response = await this.fetch(this.baseUrl + path, {
        method,
        headers: {
          ...this.headers,
          ...(token && { authorization: `Bearer ${token}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
          ...options.headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        redirect: 'error',
        signal: controller.signal,
      });
      if (streams && response.ok) {
        clearTimeout(timer);
        return { response, text: '', done };
      }
      const text = await response.text();
      if (!response.ok) throw toApiError(response, text);
      done();
      return { response, text, done };
    } catch (error) {
      done();
      if (error instanceof ApiError) throw error;
      if (signal?.aborted) throw toAbortReason(signal);
      if (controller.signal.aborted)
        throw new TimeoutError(`${method} ${path} got no answer within ${timeoutMs} ms`, { cause: error });
      throw new ConnectionError(`${this.baseUrl} cannot be reached: ${describeCause(error)}`, { cause: error });
    }
  }
}

const describeCause = (error: unknown): string => {
  const { message, cause } = error as { message?: string; cause?: { message?: string; code?: string } };
  return cause?.message || cause?.code || message || 'no connection';
};

const mayRetry = (error: unknown): boolean => {
  if (error instanceof ConnectionError || error instanceof TimeoutError) return true;
  return (
    error instanceof ApiError && retriedStatuses.includes(error.status) && (error.retryAfter ?? 0) <= maxRetryAfter
  );
};
