import type { AddressInfo, Socket } from 'node:net';
import { connect, createServer } from 'node:net';

export interface FaultProxy {
  port: number;
  /** Resets every connection and refuses new ones. */
  cut(): void;
  /** Resets the present connections only. */
  drop(): void;
  /** Resets the present connections, each after so many more bytes towards the client. */
  dropAfter(bytes: number): void;
  /** Keeps connections open and loses what they say. One that lost bytes stays dead when the network heals. */
  hang(): void;
  /** Like hang, but only from the server to the client. */
  half(): void;
  /** Delays everything, each way. */
  latency(ms: number): void;
  /** For each connection and each way. */
  throttle(bytesPerSecond: number): void;
  /** Undoes all of the above for what comes from now on. */
  heal(): void;
  close(): Promise<void>;
}

interface Weather {
  refusing: boolean;
  losing: 'nothing' | 'answers' | 'everything';
  latencyMs: number;
  bytesPerSecond: number;
}

type Way = 'question' | 'answer';

const fine = (): Weather => ({ refusing: false, losing: 'nothing', latencyMs: 0, bytesPerSecond: Infinity });
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

class Link {
  private dead = false;
  private bytesLeft = Infinity;

  constructor(
    private readonly client: Socket,
    private readonly server: Socket,
    private readonly weather: () => Weather,
  ) {
    for (const socket of [client, server]) {
      socket.setNoDelay(true);
      socket.on('error', () => {});
    }
    client.on('close', () => server.destroy());
    server.on('close', () => this.dead || client.destroy());
    void this.carry('question', client, server);
    void this.carry('answer', server, client);
  }

  reset(): void {
    for (const socket of [this.client, this.server]) {
      // Node loses the handle of a socket that is reset while it says goodbye, and then the process never ends.
      if (socket.writableEnded) socket.destroy();
      else socket.resetAndDestroy();
    }
  }

  resetAfter(bytes: number): void {
    this.bytesLeft = bytes;
  }

  private loses(way: Way): boolean {
    const { losing } = this.weather();
    if (losing === 'everything' || (losing === 'answers' && way === 'answer')) this.dead = true;
    return this.dead && (losing !== 'answers' || way === 'answer');
  }

  private async carry(way: Way, from: Socket, to: Socket): Promise<void> {
    try {
      for await (const chunk of from as AsyncIterable<Buffer>) {
        if (!this.loses(way)) await this.pass(way, chunk, to);
      }
      if (!this.dead) to.end();
    } catch {
      if (!this.dead) to.destroy();
    }
  }

  private async pass(way: Way, chunk: Buffer, to: Socket): Promise<void> {
    const { latencyMs, bytesPerSecond } = this.weather();
    if (latencyMs > 0) await pause(latencyMs);
    const piece = bytesPerSecond === Infinity ? chunk.length : Math.max(1, Math.ceil(bytesPerSecond / 20));
    for (let at = 0; at < chunk.length; at += piece) {
      const part = chunk.subarray(at, at + piece);
      if (way === 'answer' && part.length >= this.bytesLeft) {
        to.write(part.subarray(0, this.bytesLeft), () => this.reset());
        this.bytesLeft = Infinity;
        return;
      }
      if (way === 'answer') this.bytesLeft -= part.length;
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

/** A bad network between a client and `to`, a URL or a port on loopback. */
export async function faultProxy({ to }: { to: string | number }): Promise<FaultProxy> {
  let weather = fine();
  const links = new Set<Link>();
  const target = addressOf(to);
  const server = createServer({ pauseOnConnect: true }, (client) => {
    if (weather.refusing) {
      client.resetAndDestroy();
      return;
    }
    const link = new Link(client, connect(target), () => weather);
    links.add(link);
    client.on('close', () => links.delete(link));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const drop = (): void => links.forEach((link) => link.reset());
  const change = (part: Partial<Weather>): void => {
    weather = { ...weather, ...part };
  };

  return {
    port: (server.address() as AddressInfo).port,
    cut: () => {
      change({ refusing: true });
      drop();
    },
    drop,
    dropAfter: (bytes) => links.forEach((link) => link.resetAfter(bytes)),
    hang: () => change({ losing: 'everything' }),
    half: () => change({ losing: 'answers' }),
    latency: (latencyMs) => change({ latencyMs }),
    throttle: (bytesPerSecond) => change({ bytesPerSecond }),
    heal: () => {
      weather = fine();
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        drop();
      }),
  };
}
