import { Client, type Dispatcher } from 'undici';
import { checkedConnector } from './connect.js';
import { EgressFailed, toEgressFailed, type EgressFault } from './egress-failed.js';
import { IDLE_MS, IdleClients } from './idle-clients.js';
import type { EgressPolicy } from './policy.js';
import { readTarget } from './target.js';

export interface EgressRequest {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
  readonly signal?: AbortSignal;
  /** Calls to one origin with the same key may reuse a connection; without a key each call has its own. */
  readonly reuse?: string;
}

export interface EgressResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The first bytes of the body, not decompressed. */
  readonly head: Buffer;
  readonly bytesRead: number;
  /** False when the response was longer than the read limit. */
  readonly complete: boolean;
}

export interface Egress {
  /** Calls an untrusted URL. Returns responses of every status; redirects are never followed. */
  send(method: Dispatcher.HttpMethod, request: EgressRequest): Promise<EgressResponse>;
  post(request: EgressRequest): Promise<EgressResponse>;
}

const HEADER_BYTES = 16 * 1024;
/** A new connection, with a new DNS look-up, is opened after this number of calls. */
const CALLS_PER_CONNECTION = 100;

export function egress(policy: EgressPolicy): Egress {
  const connect = checkedConnector(policy);

  const idle = new IdleClients();
  const open = (origin: string, reusable: boolean): Client =>
    new Client(origin, {
      connect,
      pipelining: reusable ? 1 : 0,
      maxHeaderSize: HEADER_BYTES,
      headersTimeout: policy.headersMs,
      bodyTimeout: policy.totalMs,
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: IDLE_MS,
      maxRequestsPerClient: CALLS_PER_CONNECTION,
    });

  // Without a reuse key each call has its own client and connection.
  const send = async (method: Dispatcher.HttpMethod, request: EgressRequest): Promise<EgressResponse> => {
    const { url, headers, body, signal, reuse } = request;
    const target = readTarget(policy, url);
    const deadline = new AbortController();
    const abortWith = (fault: EgressFault, message: string) => () => deadline.abort(new EgressFailed(fault, message));
    const cancel = abortWith('canceled', 'The call was canceled.');
    const timer = setTimeout(
      abortWith('total_timeout', `No complete response within ${policy.totalMs} ms.`),
      policy.totalMs,
    );
    signal?.addEventListener('abort', cancel);
    const key = reuse === undefined ? undefined : `${target.origin} ${reuse}`;
    const client = (key !== undefined && idle.take(key)) || open(target.origin, key !== undefined);
    let complete = false;
    try {
      const response = await client.request({
        method,
        path: `${target.pathname}${target.search}`,
        headers: { 'accept-encoding': 'identity', ...headers },
        body: body ?? null,
        reset: key === undefined,
        signal: deadline.signal,
      });
      const result = await read(policy, response);
      ({ complete } = result);
      return result;
    } catch (error) {
      throw toEgressFailed(deadline.signal.aborted ? deadline.signal.reason : error);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', cancel);
      if (complete && key !== undefined) idle.keep(key, client);
      else await client.destroy();
    }
  };

  return { send, post: (request) => send('POST', request) };
}

async function read(
  policy: EgressPolicy,
  { statusCode, headers, body }: Dispatcher.ResponseData,
): Promise<EgressResponse> {
  body.on('error', () => undefined);
  const kept: Buffer[] = [];
  let bytesRead = 0;
  let complete = true;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    if (bytesRead < policy.keepBytes) kept.push(chunk.subarray(0, policy.keepBytes - bytesRead));
    bytesRead += chunk.length;
    if (bytesRead > policy.readBytes) {
      complete = false;
      break;
    }
  }
  return { status: statusCode, headers: joinHeaders(headers), head: Buffer.concat(kept), bytesRead, complete };
}

const joinHeaders = (headers: Dispatcher.ResponseData['headers']): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]));
