import { type Server, createServer } from 'node:net';

/* Below the ephemeral ports (32768 and up on Linux), so that no outgoing connection can take the port before a server
   listens on it. */
const lowest = 10_240;
const blockSize = 40;
const blocks = 560;

function listen(port: number, host = '127.0.0.1'): Promise<Server | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(undefined));
    server.listen({ port, host, exclusive: true }, () => resolve(server));
  });
}

export async function isFree(port: number, host?: string): Promise<boolean> {
  const probe = await listen(port, host);
  await new Promise((resolve) => (probe ? probe.close(resolve) : resolve(undefined)));
  return probe !== undefined;
}

/**
 * Reserves ports by listening on one of them: processes that agree on that port cannot both have the others. The reservation
 * ends with the process, or earlier by `release`. Undefined when another process has it.
 */
export async function reserve(port: number): Promise<{ release(): Promise<void> } | undefined> {
  const lock = await listen(port);
  lock?.unref();
  return lock && { release: () => new Promise((resolve) => lock.close(() => resolve())) };
}

let next = 0;
let end = 0;
let reserving: Promise<void> | undefined;

/** Reserves a block of ports by its first port, so that no other process can choose a port before it is listened on. */
async function reserveBlock(): Promise<void> {
  for (let tries = 0; tries < 1000; tries += 1) {
    const first = lowest + blockSize * Math.floor(Math.random() * blocks);
    if (!(await reserve(first))) continue;
    next = first + 1;
    end = first + blockSize;
    return;
  }
  throw new Error(`no free ports found between ${lowest} and ${lowest + blockSize * blocks}`);
}

export async function freePort(): Promise<number> {
  for (;;) {
    if (next < end) {
      const port = next;
      next += 1;
      if (await isFree(port)) return port;
    } else {
      reserving ??= reserveBlock().finally(() => (reserving = undefined));
      await reserving;
    }
  }
}
