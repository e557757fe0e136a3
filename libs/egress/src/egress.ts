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
  /** Calls to one origin with the same key may follow one another on a connection; without a key none does. */
  readonly reuse?: string;
}

export interface EgressResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The first bytes of the body, as they came: nothing is decompressed. */
  readonly head: Buffer;
  readonly bytesRead: number;
  /** False when the answer went on beyond what is read of it. */
  readonly complete: boolean;
}

export interface Egress {
  /** Calls a URL that a stranger has chosen. Answers of every status are returned, redirects included; never followed. */
  send(method: Dispatcher.HttpMethod, request: EgressRequest): Promise<EgressResponse>;
  post(request: EgressRequest): Promise<EgressResponse>;
}

const HEADER_BYTES = 16 * 1024;
/** A name that has got another address is looked up again after so many calls at the latest. */
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

  // A call has a client, and so a connection, of its own unless it asks for less: nothing is left over for another target.
  const send = async (method: Dispatcher.HttpMethod, request: EgressRequest): Promise<EgressResponse> => {
    const { url, headers, body, signal, reuse } = request;
    const target = readTarget(policy, url);
    const deadline = new AbortController();
    const giveUp = (fault: EgressFault, message: string) => () => deadline.abort(new EgressFailed(fault, message));
    const cancel = giveUp('canceled', 'The call was canceled.');
    const timer = setTimeout(giveUp('total_timeout', `No whole answer within ${policy.totalMs} ms.`), policy.totalMs);
    signal?.addEventListener('abort', cancel);
    const key = reuse === undefined ? undefined : `${target.origin} ${reuse}`;
    const client = (key !== undefined && idle.take(key)) || open(target.origin, key !== undefined);
    let whole = false;
    try {
      const answer = await client.request({
        method,
        path: `${target.pathname}${target.search}`,
        headers: { 'accept-encoding': 'identity', ...headers },
        body: body ?? null,
        reset: key === undefined,
        signal: deadline.signal,
      });
      const taken = await read(policy, answer);
      whole = taken.complete;
      return taken;
    } catch (error) {
      throw toEgressFailed(deadline.signal.aborted ? deadline.signal.reason : error);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', cancel);
      if (whole && key !== undefined) idle.keep(key, client);
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
  return { status: statusCode, headers: flat(headers), head: Buffer.concat(kept), bytesRead, complete };
}

const flat = (headers: Dispatcher.ResponseData['headers']): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]));
