import { type IncomingMessage, type ServerResponse, createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * The fault of a request: the server gets it and its reply is lost, the proxy refuses it with a status, or the reply is cut
 * after its second part.
 */
export type RequestFault = 'lost reply' | 'cut stream' | 429 | 503;

export interface FaultyProxy {
  url: string;
  /** The faults of the next requests, in order; later requests have none. */
  plan: (RequestFault | undefined)[];
  /** The requests as `POST /v1/…`, without queries. */
  requests: string[];
  close: () => Promise<void>;
}

/** An HTTP proxy that causes faults between a client and the server at `to`. */
export async function openFaultyProxy(to: string): Promise<FaultyProxy> {
  const plan: FaultyProxy['plan'] = [];
  const requests: string[] = [];
  const server = createServer((incoming, outgoing) => {
    const fault = plan.shift();
    requests.push(`${incoming.method} ${incoming.url?.replace(/\?.*/, '')}`);
    if (typeof fault === 'number') refuse(outgoing, fault);
    else forward(to, incoming, outgoing, fault);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    plan,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function refuse(outgoing: ServerResponse, status: number): void {
  const code = status === 429 ? 'rate_limited' : 'service_unavailable';
  outgoing.writeHead(status, { 'content-type': 'application/json', 'retry-after': '0' });
  outgoing.end(JSON.stringify({ data: null, error: { code, message: 'refused by the proxy' }, meta: {} }));
}

function forward(
  to: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  fault: 'lost reply' | 'cut stream' | undefined,
): void {
  const { method, headers } = incoming;
  const end = (): void => void outgoing.destroy();
  const onward = send(new URL(incoming.url ?? '/', to), { method, headers }, (reply) => {
    let parts = 0;
    if (fault !== 'lost reply') outgoing.writeHead(reply.statusCode ?? 502, reply.headers);
    reply.on('data', (part: Buffer) => {
      parts += 1;
      if (fault !== 'lost reply') outgoing.write(part);
      if (fault === 'cut stream' && parts === 2) setImmediate(() => onward.destroy());
    });
    reply.on('error', end);
    reply.on('end', () => (fault === 'lost reply' ? end() : outgoing.end()));
  });
  onward.on('error', end);
  outgoing.on('close', () => onward.destroy());
  incoming.pipe(onward);
}
