import { Agent, fetch } from 'undici';
import { checkedConnector } from './connect.js';
import { EgressFailed, toEgressFailed } from './egress-failed.js';
import type { EgressPolicy } from './policy.js';
import { readTarget } from './target.js';

/**
 * A `fetch` with the checks of the egress policy, for client libraries. Bodies stream in both directions. Redirects are
 * never followed. Failures are EgressFailed, except that an aborted call rejects with the caller's reason.
 */
export interface EgressFetch {
  (input: string | URL | Request, init?: RequestInit): Promise<Response>;
  /** Waits for running calls and closes all connections. */
  close(): Promise<void>;
}

export interface FetchPolicy extends EgressPolicy {
  /** An idle connection is kept this long for the next call to its origin. */
  readonly keepAliveMs?: number;
}

const HEADER_BYTES = 16 * 1024;

export function egressFetch(policy: FetchPolicy): EgressFetch {
  const agent = new Agent({
    connect: checkedConnector(policy),
    pipelining: 1,
    maxHeaderSize: HEADER_BYTES,
    headersTimeout: policy.headersMs,
    bodyTimeout: policy.totalMs,
    keepAliveTimeout: policy.keepAliveMs ?? 10_000,
    keepAliveMaxTimeout: policy.keepAliveMs ?? 10_000,
  });

  const call = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const request = outgoing(input, init);
    const { href } = readTarget(policy, request.url);
    const deadline = startDeadline(policy, request.signal);
    try {
      const answer = await fetch(href, {
        method: request.method,
        headers: [...request.headers],
        body: request.body as never,
        ...(request.body instanceof ReadableStream && { duplex: 'half' as const }),
        redirect: 'manual',
        signal: deadline.signal,
        dispatcher: agent,
      });
      const body = answer.body && limited(answer.body as ReadableStream<Uint8Array>, policy.readBytes, deadline);
      if (!body) deadline.clear();
      const { status, statusText } = answer;
      const response = new Response(body, { status, statusText, headers: [...answer.headers] });
      return Object.defineProperty(response, 'url', { value: href });
    } catch (error) {
      deadline.clear();
      throw deadline.failure(error);
    }
  };

  return Object.assign(call, { close: () => agent.close() });
}

interface OutgoingCall {
  url: string;
  method: string;
  headers: Headers;
  body: RequestInit['body'];
  signal: AbortSignal | null;
}

/** Strings and bytes are sent with their length; a Request encodes forms, blobs and other bodies. */
function outgoing(input: string | URL | Request, init: RequestInit): OutgoingCall {
  const { method = 'GET', headers, body, signal = null } = init;
  const isRequest = typeof input === 'object' && 'method' in input;
  const isPlain = body === undefined || body === null || typeof body === 'string' || body instanceof Uint8Array;
  if (!isRequest && (isPlain || body instanceof ReadableStream))
    return {
      url: String(input),
      method,
      headers: withIdentityEncoding(new Headers(headers)),
      body: body ?? null,
      signal,
    };
  const request = new Request(input, init);
  const requestHeaders = withIdentityEncoding(request.headers);
  return {
    url: request.url,
    method: request.method,
    headers: requestHeaders,
    body: request.body,
    signal: request.signal,
  };
}

/** Asks for an uncompressed response unless the caller sets accept-encoding. */
function withIdentityEncoding(headers: Headers): Headers {
  const own = new Headers(headers);
  if (!own.has('accept-encoding')) own.set('accept-encoding', 'identity');
  return own;
}

interface Deadline {
  signal: AbortSignal;
  clear(): void;
  /** Converts an error of the call into the error for the caller. */
  failure(error: unknown): unknown;
}

function startDeadline({ totalMs }: EgressPolicy, caller: AbortSignal | null): Deadline {
  const end = new AbortController();
  const cancel = (): void => end.abort(caller?.reason);
  const timedOut = new EgressFailed('total_timeout', `No complete response within ${totalMs} ms.`);
  const timer = setTimeout(() => end.abort(timedOut), totalMs);
  if (caller?.aborted) cancel();
  caller?.addEventListener('abort', cancel, { once: true });
  return {
    signal: end.signal,
    clear: () => {
      clearTimeout(timer);
      caller?.removeEventListener('abort', cancel);
    },
    failure: (error) => (end.signal.aborted ? (end.signal.reason as unknown) : toEgressFailed(innermost(error))),
  };
}

/** The cause of `fetch failed`, which has the details. */
const innermost = (error: unknown): unknown =>
  error instanceof TypeError && error.cause !== undefined ? error.cause : error;

function limited(
  body: ReadableStream<Uint8Array>,
  maxBytes: number,
  deadline: Deadline,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = body.getReader();
  let read = 0;
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      pull: async (controller) => {
        try {
          const { done, value } = await reader.read();
          if (done) {
            deadline.clear();
            controller.close();
            return;
          }
          read += value.length;
          if (read > maxBytes) {
            await reader.cancel().catch(() => undefined);
            throw new EgressFailed('answer_too_large', `The response is longer than ${maxBytes} bytes.`);
          }
          controller.enqueue(value as Uint8Array<ArrayBuffer>);
        } catch (error) {
          deadline.clear();
          controller.error(deadline.failure(error));
        }
      },
      cancel: async (reason) => {
        deadline.clear();
        await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
