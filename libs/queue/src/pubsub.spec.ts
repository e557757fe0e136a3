import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { FaultProxy } from '@lensforge/testing';
import { faultProxy, freshRedisPrefix, testRedisUrl, until } from '@lensforge/testing';
import type { Redis } from 'ioredis';
import type { Publisher } from './publisher.js';
import { createPublisher } from './publisher.js';
import { closeRedis, openRedis } from './redis.js';
import type { Listener, Subscriber } from './subscriber.js';
import { createSubscriber } from './subscriber.js';

describe('publisher and subscriber', () => {
  const prefix = freshRedisPrefix();
  let proxy: FaultProxy;
  let redis: Redis;
  let publisher: Publisher;
  let subscriber: Subscriber;

  beforeAll(async () => {
    proxy = await faultProxy({ to: testRedisUrl() });
    redis = openRedis(testRedisUrl(), 'producer');
    publisher = createPublisher({ redis, prefix });
    await until(() => redis.status === 'ready');
  });
  afterEach(async () => {
    await subscriber.close();
    proxy.heal();
  });
  afterAll(async () => {
    await closeRedis(redis);
    await proxy.close();
  });

  const follow = async (): Promise<void> => {
    subscriber = createSubscriber({ redisUrl: `redis://127.0.0.1:${proxy.port}`, prefix });
    await until(() => subscriber.ready);
  };
  const listening = (): Listener & { heard: string[]; gaps: number } => ({
    heard: [],
    gaps: 0,
    onMessage(message) {
      this.heard.push(message);
    },
    onGap() {
      this.gaps += 1;
    },
  });
  const listenersOf = async (channel: string): Promise<number> => {
    const [, count] = (await redis.pubsub('NUMSUB', `${prefix}:${channel}`)) as [string, number];
    return count;
  };

  it('carries messages in order to everyone who listens', async () => {
    await follow();
    const [first, second, other] = [listening(), listening(), listening()];
    await Promise.all([
      subscriber.subscribe('run-1', first),
      subscriber.subscribe('run-1', second),
      subscriber.subscribe('run-2', other),
    ]);
    const messages = Array.from({ length: 500 }, (_, n) => `message ${n}`);
    for (const message of messages) publisher.publish('run-1', message);
    await until(() => second.heard.length === 500);
    expect(first.heard).toEqual(messages);
    expect(second.heard).toEqual(messages);
    expect(other.heard).toEqual([]);
    expect(first.gaps + second.gaps).toBe(0);
  });

  it('keeps one subscription per channel until its last listener leaves', async () => {
    await follow();
    const leave = [await subscriber.subscribe('run-3', listening()), await subscriber.subscribe('run-3', listening())];
    expect(await listenersOf('run-3')).toBe(1);
    leave[0]!();
    const stays = listening();
    const leaveLast = await subscriber.subscribe('run-3', stays);
    leave[1]!();
    publisher.publish('run-3', 'still here');
    await until(() => stays.heard.length);
    leaveLast();
    await until(async () => (await listenersOf('run-3')) === 0);
    expect(subscriber.channels).toBe(0);
  });

  it('is not held up by a listener that fails', async () => {
    await follow();
    const good = listening();
    const bad: Listener = {
      onMessage: () => {
        throw new Error('no');
      },
      onGap: () => undefined,
    };
    await subscriber.subscribe('run-4', bad);
    await subscriber.subscribe('run-4', good);
    publisher.publish('run-4', 'a');
    await until(() => good.heard.length);
  });

  it('tells of a gap when the connection was lost, and messages flow again', async () => {
    await follow();
    const listener = listening();
    await subscriber.subscribe('run-5', listener);
    proxy.drop();
    await until(() => listener.gaps === 1);
    publisher.publish('run-5', 'after');
    await until(() => listener.heard.length);
    expect(listener.heard).toEqual(['after']);
  });

  it('lets a reader begin while Redis is away and tells of the gap when it is back', async () => {
    await follow();
    proxy.cut();
    await until(() => !subscriber.ready);
    const listener = listening();
    await subscriber.subscribe('run-6', listener);
    expect(listener.gaps).toBe(0);
    proxy.heal();
    await until(() => listener.gaps === 1);
    publisher.publish('run-6', 'now');
    await until(() => listener.heard.length);
  });

  it('notices a connection that died without a word', async () => {
    await follow();
    const listener = listening();
    await subscriber.subscribe('run-7', listener);
    proxy.hang();
    await until(() => !subscriber.ready);
    proxy.heal();
    await until(() => listener.gaps === 1);
    publisher.publish('run-7', 'after');
    await until(() => listener.heard.length);
  });

  it('drops messages while Redis is away', async () => {
    await follow();
    const away = openRedis('redis://127.0.0.1:1', 'producer');
    createPublisher({ redis: away, prefix }).publish('run-8', 'lost');
    await closeRedis(away);
  });
});
