import { type AddressInfo, type Socket, connect, createServer } from 'node:net';

export interface FaultProxy {
  port: number;
  /** Resets all connections and refuses new ones. */
  cut(): void;
  /** Resets all open connections. */
  drop(): void;
  /** Resets each open connection after this number of further bytes to the client. */
  dropAfter(bytes: number): void;
  /** Keeps connections open and drops all bytes. A connection that lost bytes stays silent after `heal`. */
  hang(): void;
  /** Like `hang`, but only from the server to the client. */
  halfOpen(): void;
  /** Delays each chunk in both directions. */
  latency(ms: number): void;
  /** Limits each connection in both directions. */
  throttle(bytesPerSecond: number): void;
  /** Removes all faults for further bytes and connections. */
  heal(): void;
  close(): Promise<void>;
}

interface NetworkConditions {
  refusing: boolean;
  losing: 'nothing' | 'responses' | 'everything';
  latencyMs: number;
  bytesPerSecond: number;
}

type Direction = 'request' | 'response';

const noFaults = (): NetworkConditions => ({
  refusing: false,
  losing: 'nothing',
  latencyMs: 0,
  bytesPerSecond: Infinity,
});
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

class ProxiedConnection {
  private silent = false;
  private bytesLeft = Infinity;

  constructor(
    private readonly client: Socket,
    private readonly server: Socket,
    private readonly conditions: () => NetworkConditions,
  ) {
    for (const socket of [client, server]) {
      socket.setNoDelay(true);
      socket.on('error', () => {});
    }
    client.on('close', () => server.destroy());
    server.on('close', () => this.silent || client.destroy());
    void this.forward('request', client, server);
    void this.forward('response', server, client);
  }

  reset(): void {
    for (const socket of [this.client, this.server]) {
      // Node leaks the handle of a socket that is reset after end(), and then the process never ends.
      if (socket.writableEnded) socket.destroy();
      else socket.resetAndDestroy();
    }
  }

  resetAfter(bytes: number): void {
    this.bytesLeft = bytes;
  }

  private loses(direction: Direction): boolean {
    const { losing } = this.conditions();
    if (losing === 'everything' || (losing === 'responses' && direction === 'response')) this.silent = true;
    return this.silent && (losing !== 'responses' || direction === 'response');
  }

  private async forward(direction: Direction, from: Socket, to: Socket): Promise<void> {
    try {
      for await (const chunk of from as AsyncIterable<Buffer>) {
        if (!this.loses(direction)) await this.pass(direction, chunk, to);
      }
      if (!this.silent) to.end();
    } catch {
      if (!this.silent) to.destroy();
    }
  }

  private async pass(direction: Direction, chunk: Buffer, to: Socket): Promise<void> {
    const { latencyMs, bytesPerSecond } = this.conditions();
    if (latencyMs > 0) await pause(latencyMs);
    const piece = bytesPerSecond === Infinity ? chunk.length : Math.max(1, Math.ceil(bytesPerSecond / 20));
    for (let at = 0; at < chunk.length; at += piece) {
      const part = chunk.subarray(at, at + piece);
      if (direction === 'response' && part.length >= this.bytesLeft) {
        to.write(part.subarray(0, this.bytesLeft), () => this.reset());
        this.bytesLeft = Infinity;
        return;
      }
      if (direction === 'response') this.bytesLeft -= part.length;
      if (!to.write(part)) await new Promise((resolve) => to.once('drain', resolve).once('close', resolve));
      if (bytesPerSecond !== Infinity) await pause((part.length / bytesPerSecond) * 1000);
    }
  }
}

function addressOf(to: string | number): { host: string; port: number } {
  if (typeof to === 'number') return { host: '127.0.0.1', port: to };
  const { hostname, port } = new URL(to);
  return { host: hostname, port: Number(port) };
}

/** A TCP proxy with faults in front of `to`, a URL or a port on loopback. */
export async function faultProxy({ to }: { to: string | number }): Promise<FaultProxy> {
  let conditions = noFaults();
  const connections = new Set<ProxiedConnection>();
  const target = addressOf(to);
  const server = createServer({ pauseOnConnect: true }, (client) => {
    if (conditions.refusing) {
      client.resetAndDestroy();
      return;
    }
    const connection = new ProxiedConnection(client, connect(target), () => conditions);
    connections.add(connection);
    client.on('close', () => connections.delete(connection));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const drop = (): void => connections.forEach((connection) => connection.reset());
  const change = (part: Partial<NetworkConditions>): void => {
    conditions = { ...conditions, ...part };
  };

  return {
    port: (server.address() as AddressInfo).port,
    cut: () => {
      change({ refusing: true });
      drop();
    },
    drop,
    dropAfter: (bytes) => connections.forEach((connection) => connection.resetAfter(bytes)),
    hang: () => change({ losing: 'everything' }),
    halfOpen: () => change({ losing: 'responses' }),
    latency: (latencyMs) => change({ latencyMs }),
    throttle: (bytesPerSecond) => change({ bytesPerSecond }),
    heal: () => {
      conditions = noFaults();
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        drop();
      }),
  };
}
