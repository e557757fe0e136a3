import { once } from 'node:events';
import { type AddressInfo, type Server, type Socket, connect, createServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type FaultProxy, faultProxy, until } from './index.js';

describe('faultProxy', () => {
  let echo: Server;
  let proxy: FaultProxy;
  const clients: Socket[] = [];

  const openConnection = async (): Promise<{
    received: () => string;
    send: (bytes: string) => void;
    closed: () => boolean;
  }> => {
    const socket = connect(proxy.port, '127.0.0.1');
    clients.push(socket);
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    return { received: () => text, send: (bytes) => void socket.write(bytes), closed: () => socket.destroyed };
  };
  const waitShortly = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 100));

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

  it('forwards all bytes by default', async () => {
    const connection = await openConnection();
    const sent = 'x'.repeat(1_000_000);
    connection.send(sent);
    await until(() => connection.received().length >= sent.length);
    expect(connection.received() === sent).toBe(true);
  });

  it('resets open connections and refuses new ones between cut and heal', async () => {
    const connection = await openConnection();
    connection.send('a');
    await until(() => connection.received() === 'a');
    proxy.cut();
    await until(() => connection.closed());
    const refused = connect(proxy.port, '127.0.0.1').on('error', () => undefined);
    await new Promise((resolve) => refused.once('close', resolve));
    expect(refused.bytesRead).toBe(0);
    proxy.heal();
    const again = await openConnection();
    again.send('b');
    await until(() => again.received() === 'b');
  });

  it('resets each connection after the number of response bytes of dropAfter', async () => {
    const connection = await openConnection();
    proxy.dropAfter(3);
    connection.send('abcdef');
    await until(() => connection.closed());
    expect('abc'.startsWith(connection.received())).toBe(true);
  });

  it('keeps connections open and loses their bytes on hang, also after heal', async () => {
    const connection = await openConnection();
    const idle = await openConnection();
    connection.send('a');
    idle.send('a');
    await until(() => connection.received() + idle.received() === 'aa');
    proxy.hang();
    connection.send('lost');
    await waitShortly();
    proxy.heal();
    connection.send('late');
    idle.send('b');
    await until(() => idle.received() === 'ab');
    expect([connection.received(), connection.closed()]).toEqual(['a', false]);
  });

  it('forwards requests and loses responses on halfOpen', async () => {
    const received: string[] = [];
    echo.on('connection', (socket: Socket) => socket.on('data', (chunk) => received.push(chunk.toString())));
    const connection = await openConnection();
    proxy.halfOpen();
    connection.send('question');
    await until(() => received.join('') === 'question');
    await waitShortly();
    expect(connection.received()).toBe('');
  });

  it('delays each chunk by the latency', async () => {
    proxy.latency(1000);
    const connection = await openConnection();
    connection.send('a');
    await waitShortly();
    expect(connection.received()).toBe('');
    await until(() => connection.received() === 'a');
  });

  it('limits the bytes per second on throttle', async () => {
    proxy.throttle(5000);
    const connection = await openConnection();
    connection.send('x'.repeat(10_000));
    await until(() => connection.received().length > 0);
    expect(connection.received().length).toBeLessThan(10_000);
    await until(() => connection.received().length === 10_000);
  });
});
