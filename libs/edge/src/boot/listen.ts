import type { FastifyInstance } from 'fastify';
import { isError } from '../rest/is-error.js';
import { StartupError } from './platform.js';

export interface ListenAddress {
  PORT: number;
  host: string;
}

/** Resolves with the URL; rejects with an error that names the setting when the port cannot be opened. */
export async function listen(http: FastifyInstance, { PORT, host }: ListenAddress, setting = 'PORT'): Promise<string> {
  try {
    await http.listen({ port: PORT, host });
  } catch (error) {
    const code: unknown = isError(error) ? Reflect.get(error, 'code') : undefined;
    const fault = faults[String(code)]?.replace('PORT', setting);
    throw fault ? new StartupError(`port ${PORT} of ${host} ${fault}`, { cause: error }) : error;
  }
  const address = http.server.address();
  const port = typeof address === 'object' && address ? address.port : PORT;
  return `http://${host === '0.0.0.0' ? '127.0.0.1' : host}:${port}`;
}

const faults: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is taken: stop the program that listens there, or choose another with PORT',
  EACCES: 'cannot be opened by this user: choose one above 1023 with PORT',
  EADDRNOTAVAIL: 'is not an address of this machine: choose another with HOST',
};
