import { type AddressInfo, type Server, type Socket, createServer } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, it, jest } from '@jest/globals';
import { DatabaseProbe } from './database-probe.js';

let silent: Server;
const sockets: Socket[] = [];
beforeAll(async () => {
  silent = createServer((socket) => sockets.push(socket));
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
});
afterEach(() => void jest.useRealTimers());
afterAll(() => {
  for (const socket of sockets) socket.destroy();
  silent.close();
});

it('DatabaseProbe reports a database that does not answer after exactly 1500 ms', async () => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
  const { port } = silent.address() as AddressInfo;
  const probe = new DatabaseProbe({ url: `postgres://u:p@127.0.0.1:${port}/x` }, 'test');
  let reason: string | undefined;
  const check = probe.check().then((found) => (reason = found));
  jest.advanceTimersByTime(1499);
  await new Promise((resolve) => setImmediate(resolve));
  expect(reason).toBeUndefined();
  jest.advanceTimersByTime(1);
  await check;
  expect(reason).toBe('the database did not answer within 1500 ms');
  probe.close();
});
