import { type AddressInfo, type Socket, connect, createServer } from 'node:net';

export interface DelayProxy {
  /** The address of the server, seen through the proxy. */
  url: string;
  close(): void;
}

/** A TCP proxy that delays all bytes in both directions, like a server in another region. */
export async function openDelayProxy(target: string, delayMs: number): Promise<DelayProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const pass = (from: Socket, to: Socket): void => {
    sockets.add(from);
    from.on('data', (bytes) => setTimeout(() => to.writable && to.write(bytes), delayMs));
    from.on('end', () => setTimeout(() => to.end(), delayMs));
    from.on('error', () => to.destroy());
    from.on('close', () => sockets.delete(from));
  };
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    for (const socket of [client, upstream]) socket.setNoDelay(true);
    pass(client, upstream);
    pass(upstream, client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(target);
  url.port = `${(server.address() as AddressInfo).port}`;
  url.hostname = '127.0.0.1';
  return {
    url: url.href,
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
