import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { faultProxy, testRedisUrl, until } from '@lensforge/testing';
import { checkRedis, UnsuitableRedis } from './check-redis.js';
import { closeRedis, openRedis } from './redis.js';

/** A fake Redis that answers only INFO and CLIENT. */
async function fakeRedis(info: string): Promise<{ url: string; close: () => void }> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (commands) => {
      for (const command of commands.toString().matchAll(/\r\n(info|client)\r\n/gi)) {
        socket.write(command[1]!.toLowerCase() === 'info' ? `$${info.length}\r\n${info}\r\n` : '+OK\r\n');
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => void server.close() };
}

async function check(url: string, limitMs = 2000) {
  const client = openRedis(url, 'producer');
  try {
    return await checkRedis(client, { limitMs });
  } finally {
    await closeRedis(client);
  }
}

describe('checkRedis', () => {
  it('throws when Redis evicts keys at its memory limit', async () => {
    const redis = await fakeRedis('redis_version:7.0.0\r\nmaxmemory_policy:allkeys-lru\r\naof_enabled:1\r\n');
    await expect(check(redis.url)).rejects.toThrow(UnsuitableRedis);
    await expect(check(redis.url)).rejects.toThrow(/allkeys-lru.*set maxmemory-policy noeviction/);
    redis.close();
  });

  it.each([
    ['redis_version:6.2.14', 'is Redis 6.2.14: version 7 or newer is needed'],
    ['redis_version:7.2.4\r\nvalkey_version:7.2.5', 'is Valkey 7.2.5: version 8 or newer is needed'],
    ['redis_version:7.4.1\r\nredis_mode:cluster', 'is a node of a Redis Cluster, which is not supported'],
    ['valkey_version:9.1.1\r\nserver_mode:cluster', 'is a node of a Redis Cluster, which is not supported'],
    ['redis_version:8.0.2\r\nredis_mode:sentinel', 'is a Sentinel, which stores no jobs'],
  ])('throws for a server with %j', async (fields, why) => {
    const redis = await fakeRedis(`${fields}\r\nmaxmemory_policy:noeviction\r\naof_enabled:1\r\n`);
    await expect(check(redis.url)).rejects.toThrow(`The server at ${new URL(redis.url).host} ${why}`);
    redis.close();
  });

  it.each([
    ['redis_version:7.0.15', []],
    ['redis_version:8.2.1', []],
    ['redis_version:7.2.4\r\nvalkey_version:9.0.0', []],
    ['redis_version:9.0.0', ['Redis 9.0.0 is newer than the versions that this release was tested with (7 to 8)']],
    ['redis_version:7.2.4\r\nvalkey_version:10.0.0', [expect.stringContaining('Valkey 10.0.0 is newer than')]],
  ])('accepts a server with %j', async (fields, warnings) => {
    const redis = await fakeRedis(`${fields}\r\nredis_mode:standalone\r\naof_enabled:1\r\n`);
    expect(await check(redis.url)).toEqual({ reachable: true, warnings });
    redis.close();
  });

  it('warns when Redis runs without persistence', async () => {
    const redis = await fakeRedis('redis_version:7.0.0\r\nmaxmemory_policy:noeviction\r\naof_enabled:0\r\n');
    expect(await check(redis.url)).toEqual({ reachable: true, warnings: [expect.stringContaining('appendonly')] });
    redis.close();
  });

  it('returns no warnings for a suitable Redis', async () => {
    const redis = await fakeRedis('redis_version:7.0.0\r\nmaxmemory_policy:noeviction\r\naof_enabled:1\r\n');
    expect(await check(redis.url)).toEqual({ reachable: true, warnings: [] });
    redis.close();
  });

  it('reports an unavailable Redis as not reachable', async () => {
    expect(await check('redis://127.0.0.1:1', 200)).toMatchObject({ reachable: false });
  });
});

describe('a Redis connection', () => {
  it('logs each loss and each recovery once', async () => {
    const proxy = await faultProxy({ to: testRedisUrl() });
    const messages: string[] = [];
    const write = (_: object, message: string): void => void messages.push(message);
    const log = { info: write, warn: write, error: write };
    const client = openRedis(`redis://127.0.0.1:${proxy.port}`, 'subscriber', { log });
    await until(() => client.status === 'ready');
    let tries = 0;
    client.on('reconnecting', () => (tries += 1));
    proxy.cut();
    await until(() => tries > 3);
    proxy.heal();
    await until(() => client.status === 'ready');
    expect(messages).toEqual(['the connection to Redis was lost', 'Redis is connected again']);
    await closeRedis(client);
    await proxy.close();
  });
});
