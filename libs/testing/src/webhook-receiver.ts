import { type IncomingHttpHeaders, type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { until } from './until.js';

export interface ReceivedRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  /** The exact bytes. */
  body: Buffer;
  receivedAt: Date;
}

/** The response to a request: a status, a redirect, none (`hang`), or a closed connection (`cut`). */
export type Behaviour =
  | { status: number; headers?: Record<string, string>; body?: string }
  | { redirect: string }
  | 'hang'
  | 'cut';

export interface WebhookReceiver {
  url: string;
  port: number;
  requests: readonly ReceivedRequest[];
  /** Sets the responses to the next requests, one each. */
  next(...behaviours: Behaviour[]): void;
  /** Sets the default response; initially 200. */
  always(behaviour: Behaviour): void;
  /** Waits until this number of requests has arrived. */
  receive(count?: number, timeoutMs?: number): Promise<readonly ReceivedRequest[]>;
  close(): Promise<void>;
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function answer(behaviour: Behaviour, response: ServerResponse): void {
  if (behaviour === 'hang') return;
  if (behaviour === 'cut') {
    response.socket?.destroy();
    return;
  }
  if ('redirect' in behaviour) {
    response.writeHead(307, { location: behaviour.redirect }).end();
    return;
  }
  response.writeHead(behaviour.status, behaviour.headers).end(behaviour.body);
}

/** Starts a webhook receiver on loopback that records all requests. */
export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const received: ReceivedRequest[] = [];
  const planned: Behaviour[] = [];
  let defaultBehaviour: Behaviour = { status: 200 };

  const server = createServer((request, response) => {
    void bodyOf(request).then(
      (body) => {
        const { method = '', url = '', headers } = request;
        received.push({ method, path: url, headers, body, receivedAt: new Date() });
        answer(planned.shift() ?? defaultBehaviour, response);
      },
      () => {},
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}/hooks`,
    port,
    requests: received,
    next: (...behaviours) => void planned.push(...behaviours),
    always: (behaviour) => {
      defaultBehaviour = behaviour;
    },
    receive: async (count = 1, timeoutMs?: number) => {
      const what = () => `request ${count} (${received.length} so far)`;
      await until(() => received.length >= count, { what, ...(timeoutMs !== undefined && { within: timeoutMs }) });
      return received;
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
