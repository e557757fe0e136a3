import { Server, type Socket } from 'node:net';
import type { Server as HttpServer } from 'node:http';
import { setImmediate as afterPolling, setTimeout as pause } from 'node:timers/promises';

/**
 * Stops a server: it accepts no new connections and waits for the open ones. Responses carry `Connection: close`; idle
 * connections are closed only after `graceMs`, so that few requests arrive on a connection that is being closed.
 */
export function endConnections(server: HttpServer, graceMs: number): () => Promise<void> {
  const open = new Set<Socket>();
  server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });

  const closeIdle = (): void => {
    server.closeIdleConnections();
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
  };

  return async () => {
    // Right after polling no connection waits to be accepted; the kernel would reset it.
    await afterPolling();
    // The close method of the HTTP server would close idle connections at once.
    const ended = new Promise<void>((resolve) => void Server.prototype.close.call(server, () => resolve()));
    await Promise.race([ended, pause(graceMs)]);
    // Requests that have arrived are read first; to close their connection would reset them.
    const timer = setInterval(() => setImmediate(closeIdle), 50);
    await ended;
    clearInterval(timer);
  };
}
