import { createServer } from 'node:net';

/* Below the range the kernel gives to outgoing connections (32768 and up on Linux), so that none of those
   can take the port between this answer and the moment a server listens on it. */
const lowest = 10_240;
const highest = 32_700;
const given = new Set<number>();

export function isFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen({ port, host, exclusive: true }, () => probe.close(() => resolve(true)));
  });
}

export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 1000; tries += 1) {
    const port = lowest + Math.floor(Math.random() * (highest - lowest));
    if (given.has(port) || !(await isFree(port))) continue;
    given.add(port);
    return port;
  }
  throw new Error(`no free port found between ${lowest} and ${highest}`);
}
