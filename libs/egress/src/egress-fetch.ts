import { Agent, fetch } from 'undici';
import { checkedConnector } from './connect.js';
import { EgressFailed, toEgressFailed } from './egress-failed.js';
import type { EgressPolicy } from './policy.js';
import { readTarget } from './target.js';

/**
 * `fetch` behind the guard, for libraries that want one: bodies stream in both directions, a signal ends the call at any
 * moment. Redirects are not followed, whatever is asked for; failures are EgressFailed, a caller's abort is its reason.
 */
export interface EgressFetch {
  (input: string | URL | Request, init?: RequestInit): Promise<Response>;
  /** Lets calls under way end and closes what is left. */
  close(): Promise<void>;
}

export interface FetchPolicy extends EgressPolicy {
  /** How long a connection waits for a next call to the same origin. It goes nowhere but to an address that was checked. */
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
    const deadline = deadlineOf(policy, request.signal);
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
      const body = answer.body && bounded(answer.body as ReadableStream<Uint8Array>, policy.readBytes, deadline);
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

/** Texts and bytes are sent with their length; forms, blobs and whole requests are put into bytes by the platform first. */
function outgoing(input: string | URL | Request, init: RequestInit): OutgoingCall {
  const { method = 'GET', headers, body, signal = null } = init;
  const isWhole = typeof input === 'object' && 'method' in input;
  const isPlain = body === undefined || body === null || typeof body === 'string' || body instanceof Uint8Array;
  if (!isWhole && (isPlain || body instanceof ReadableStream))
    return { url: String(input), method, headers: withoutPacking(new Headers(headers)), body: body ?? null, signal };
  const request = new Request(input, init);
  const whole = withoutPacking(request.headers);
  return { url: request.url, method: request.method, headers: whole, body: request.body, signal: request.signal };
}

/** Nothing has to be unpacked unless the caller asks for it. */
function withoutPacking(headers: Headers): Headers {
  const own = new Headers(headers);
  if (!own.has('accept-encoding')) own.set('accept-encoding', 'identity');
  return own;
}

interface Deadline {
  signal: AbortSignal;
  clear(): void;
  /** What a failure of the call is for its caller. */
  failure(error: unknown): unknown;
}

function deadlineOf({ totalMs }: EgressPolicy, caller: AbortSignal | null): Deadline {
  const end = new AbortController();
  const cancel = (): void => end.abort(caller?.reason);
  const late = new EgressFailed('total_timeout', `No whole answer within ${totalMs} ms.`);
  const timer = setTimeout(() => end.abort(late), totalMs);
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

/** `fetch failed` says nothing; its cause does. */
const innermost = (error: unknown): unknown =>
  error instanceof TypeError && error.cause !== undefined ? error.cause : error;

function bounded(
  body: ReadableStream<Uint8Array>,
  most: number,
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
          if (read > most) {
            await reader.cancel().catch(() => undefined);
            throw new EgressFailed('answer_too_large', `The answer is longer than ${most} bytes.`);
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
