import { createServer } from 'node:net';

/* Below the ephemeral ports (32768 and up on Linux), so that no outgoing connection can take the port before a server
   listens on it. */
const lowest = 10_240;
const highest = 32_700;
const returned = new Set<number>();

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
    if (returned.has(port) || !(await isFree(port))) continue;
    returned.add(port);
    return port;
  }
  throw new Error(`no free port found between ${lowest} and ${highest}`);
}
