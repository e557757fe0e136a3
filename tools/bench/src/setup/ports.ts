import { get } from 'node:http';
import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

const patienceMs = 20_000;
const beatMs = 30;

export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });

const isReady = (port: number, path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const call = get({ host: '127.0.0.1', port, path, agent: false }, (answer) => {
      answer.resume();
      resolve(answer.statusCode === 200);
    });
    call.on('error', () => resolve(false));
  });

/** Waits until a program answers, and throws when it has ended or takes too long. */
export async function waitUntilReady(
  port: number,
  name: string,
  isAlive: () => boolean,
  path = '/ready',
): Promise<void> {
  const until = performance.now() + patienceMs;
  while (!(await isReady(port, path))) {
    if (!isAlive() || performance.now() > until) throw new Error(`${name} did not start`);
    await pause(beatMs);
  }
}
