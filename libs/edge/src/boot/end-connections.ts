import { Server, type Socket } from 'node:net';
import type { Server as HttpServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * How the server stops: it accepts nobody new and waits for the open connections. Those in use are told to close with
 * their next answer; only then are idle ones closed, so that hardly anybody's request crosses with the closing.
 */
export function endConnections(server: HttpServer, politeMs: number): () => Promise<void> {
  const open = new Set<Socket>();
  server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });

  const sweep = (): void => {
    server.closeIdleConnections();
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
  };

  return async () => {
    // Not the method of the HTTP server, which would close idle connections at once.
    const ended = new Promise<void>((resolve) => void Server.prototype.close.call(server, () => resolve()));
    await Promise.race([ended, pause(politeMs)]);
    const sweeping = setInterval(sweep, 50);
    await ended;
    clearInterval(sweeping);
  };
}
