import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface AuthenticatingProxy {
  url: string;
  close(): Promise<void>;
}

/** A proxy that adds a token to each request, since the suite sends none. */
export async function authenticatingProxy(to: string, bearer: string): Promise<AuthenticatingProxy> {
  const target = new URL(to);
  const server = createServer((incoming, outgoing) => {
    const { method, headers } = incoming;
    const onward = request(target, { method, headers: { ...headers, authorization: `Bearer ${bearer}` } }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onward.once('error', () => outgoing.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${target.pathname}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
