import type { AddressInfo } from 'node:net';
import { CommandFault } from './faults.js';

const maxSeconds = 300;

/** The texts of the page that the browser shows at the end, and the advice after a failure. */
export interface CallbackTexts {
  done: string;
  refused: string;
  advice: string;
}

export interface BrowserCallback {
  address: string;
  /** Answers the parameters with which the browser returns. Requests with another state are refused and do not end the wait. */
  returned(state: string): Promise<URLSearchParams>;
  close(): void;
}

/** Waits on a port of this computer for the browser. */
export async function openCallback(texts: CallbackTexts, signal: AbortSignal): Promise<BrowserCallback> {
  // Loaded here, since it would take a tenth of the start of every command.
  const { createServer } = await import('node:http');
  let expected: string | undefined;
  let settle: { resolve: (given: URLSearchParams) => void; reject: (error: Error) => void } | undefined;
  const returned = new Promise<URLSearchParams>((resolve, reject) => (settle = { resolve, reject }));
  returned.catch(() => undefined);
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1');
    if (pathname !== '/callback' || expected === undefined || searchParams.get('state') !== expected) {
      response.writeHead(404, { connection: 'close' }).end();
      return;
    }
    const text = searchParams.has('code') ? texts.done : texts.refused;
    response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' }).end(text);
    settle?.resolve(searchParams);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const late = setTimeout(
    () => settle?.reject(new CommandFault(`No browser returned within ${maxSeconds} seconds`, texts.advice)),
    maxSeconds * 1000,
  );
  const stop = (): void => settle?.reject(signal.reason as Error);
  signal.addEventListener('abort', stop, { once: true });
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`,
    returned: (state) => {
      expected = state;
      return returned;
    },
    close: () => {
      clearTimeout(late);
      signal.removeEventListener('abort', stop);
      server.close();
      server.closeAllConnections();
    },
  };
}
