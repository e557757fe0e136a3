import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { until } from './until.js';

export interface Letter {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  /** The exact bytes. */
  body: Buffer;
  receivedAt: Date;
}

/** How a delivery is answered: with a status, with a redirect, never, or by hanging up. */
export type Behaviour =
  { status: number; headers?: Record<string, string>; body?: string } | { redirect: string } | 'hang' | 'cut';

export interface Mailbox {
  url: string;
  port: number;
  letters: readonly Letter[];
  /** The next deliveries are answered so, one each; later ones as usual. */
  next(...behaviours: Behaviour[]): void;
  /** From now on, unless `next` says otherwise. Begins with 200. */
  always(behaviour: Behaviour): void;
  /** Waits until so many letters are there. */
  receive(count?: number, within?: number): Promise<readonly Letter[]>;
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

/** A receiver of webhooks on loopback. */
export async function webhookMailbox(): Promise<Mailbox> {
  const letters: Letter[] = [];
  const planned: Behaviour[] = [];
  let usual: Behaviour = { status: 200 };

  const server = createServer((request, response) => {
    void bodyOf(request).then(
      (body) => {
        const { method = '', url = '', headers } = request;
        letters.push({ method, path: url, headers, body, receivedAt: new Date() });
        answer(planned.shift() ?? usual, response);
      },
      () => {},
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}/hooks`,
    port,
    letters,
    next: (...behaviours) => void planned.push(...behaviours),
    always: (behaviour) => {
      usual = behaviour;
    },
    receive: async (count = 1, within?: number) => {
      const what = () => `letter ${count} (${letters.length} so far)`;
      await until(() => letters.length >= count, { what, ...(within !== undefined && { within }) });
      return letters;
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
