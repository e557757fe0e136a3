import type { Server } from 'node:net';
import { isError } from './is-error.js';
import { CannotStart } from './platform.js';

/** Resolves with the address; a port that cannot be had is said plainly. */
export async function listen(
  server: Server,
  { PORT, host }: { PORT: number; host: string },
  start: () => Promise<unknown>,
): Promise<string> {
  try {
    await start();
  } catch (error) {
    const code: unknown = isError(error) ? Reflect.get(error, 'code') : undefined;
    const fault = faults[String(code)];
    throw fault ? new CannotStart(`port ${PORT} of ${host} ${fault}`, { cause: error }) : error;
  }
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : PORT;
  return `http://${host === '0.0.0.0' ? '127.0.0.1' : host}:${port}`;
}

const faults: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is taken: stop what listens there or choose another with PORT',
  EACCES: 'may not be opened by this user: choose one above 1023 with PORT',
  EADDRNOTAVAIL: 'is no address of this machine: choose another with HOST',
};
