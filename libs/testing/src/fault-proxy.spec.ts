import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { FaultProxy } from './index.js';
import { faultProxy, until } from './index.js';

describe('a fault proxy', () => {
  let echo: Server;
  let proxy: FaultProxy;
  const clients: Socket[] = [];

  const dial = async (): Promise<{ said: () => string; say: (text: string) => void; closed: () => boolean }> => {
    const socket = connect(proxy.port, '127.0.0.1');
    clients.push(socket);
    let heard = '';
    socket.on('data', (chunk: Buffer) => (heard += chunk.toString()));
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    return { said: () => heard, say: (text) => void socket.write(text), closed: () => socket.destroyed };
  };
  const quiet = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 100));

  beforeEach(async () => {
    echo = createServer((socket) => socket.on('error', () => undefined).pipe(socket));
    await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve));
    proxy = await faultProxy({ to: (echo.address() as AddressInfo).port });
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) client.destroy();
    await proxy.close();
    echo.close();
  });

  it('carries everything while the network is fine', async () => {
    const line = await dial();
    line.say('x'.repeat(1_000_000));
    await until(() => line.said().length === 1_000_000);
  });

  it('cuts: present connections are reset and new ones refused, until it heals', async () => {
    const line = await dial();
    line.say('a');
    await until(() => line.said() === 'a');
    proxy.cut();
    await until(() => line.closed());
    const refused = connect(proxy.port, '127.0.0.1').on('error', () => undefined);
    await new Promise((resolve) => refused.once('close', resolve));
    expect(refused.bytesRead).toBe(0);
    proxy.heal();
    const again = await dial();
    again.say('b');
    await until(() => again.said() === 'b');
  });

  it('drops each connection after so many bytes of answers', async () => {
    const line = await dial();
    proxy.dropAfter(3);
    line.say('abcdef');
    await until(() => line.closed());
    expect('abc'.startsWith(line.said())).toBe(true);
  });

  it('hangs: connections stay open and silent, and those that lost bytes never come back', async () => {
    const line = await dial();
    const idle = await dial();
    line.say('a');
    idle.say('a');
    await until(() => line.said() + idle.said() === 'aa');
    proxy.hang();
    line.say('lost');
    await quiet();
    proxy.heal();
    line.say('late');
    idle.say('b');
    await until(() => idle.said() === 'ab');
    expect([line.said(), line.closed()]).toEqual(['a', false]);
  });

  it('half: questions arrive, answers do not', async () => {
    const heard: string[] = [];
    echo.on('connection', (socket: Socket) => socket.on('data', (chunk) => heard.push(chunk.toString())));
    const line = await dial();
    proxy.half();
    line.say('question');
    await until(() => heard.join('') === 'question');
    await quiet();
    expect(line.said()).toBe('');
  });

  it('delays', async () => {
    proxy.latency(1000);
    const line = await dial();
    line.say('a');
    await quiet();
    expect(line.said()).toBe('');
    await until(() => line.said() === 'a');
  });

  it('throttles', async () => {
    proxy.throttle(5000);
    const line = await dial();
    line.say('x'.repeat(10_000));
    await until(() => line.said().length > 0);
    expect(line.said().length).toBeLessThan(10_000);
    await until(() => line.said().length === 10_000);
  });
});
