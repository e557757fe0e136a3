import { Client, type Dispatcher } from 'undici';
import { checkedConnector } from './connect.js';
import { EgressFailed, failureOf, type EgressFault } from './egress-failed.js';
import type { EgressPolicy } from './policy.js';
import { readTarget } from './target.js';

export interface Outgoing {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
  readonly signal?: AbortSignal;
}

export interface Answer {
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
  send(method: Dispatcher.HttpMethod, request: Outgoing): Promise<Answer>;
  post(request: Outgoing): Promise<Answer>;
}

const HEADER_BYTES = 16 * 1024;

export function egress(policy: EgressPolicy): Egress {
  const connect = checkedConnector(policy);

  // Each call has a client, and so a connection, of its own: nothing is left over for another target to inherit.
  const send = async (method: Dispatcher.HttpMethod, { url, headers, body, signal }: Outgoing): Promise<Answer> => {
    const target = readTarget(policy, url);
    const deadline = new AbortController();
    const giveUp = (fault: EgressFault, message: string) => () => deadline.abort(new EgressFailed(fault, message));
    const cancel = giveUp('canceled', 'The call was canceled.');
    const timer = setTimeout(giveUp('total_timeout', `No whole answer within ${policy.totalMs} ms.`), policy.totalMs);
    signal?.addEventListener('abort', cancel);
    const client = new Client(target.origin, {
      connect,
      pipelining: 0,
      maxHeaderSize: HEADER_BYTES,
      headersTimeout: policy.headersMs,
      bodyTimeout: policy.totalMs,
    });
    try {
      const answer = await client.request({
        method,
        path: `${target.pathname}${target.search}`,
        headers: { 'accept-encoding': 'identity', ...headers },
        body: body ?? null,
        reset: true,
        signal: deadline.signal,
      });
      return await read(policy, answer);
    } catch (error) {
      throw failureOf(deadline.signal.aborted ? deadline.signal.reason : error);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', cancel);
      await client.destroy();
    }
  };

  return { send, post: (request) => send('POST', request) };
}

async function read(policy: EgressPolicy, { statusCode, headers, body }: Dispatcher.ResponseData): Promise<Answer> {
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
