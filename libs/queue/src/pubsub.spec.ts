import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type FaultProxy, faultProxy, freshRedisPrefix, testRedisUrl, until } from '@lensforge/testing';
import type { Redis } from 'ioredis';
import { type Publisher, createPublisher } from './publisher.js';
import { closeRedis, openRedis } from './redis.js';
import { type Listener, type Subscriber, createSubscriber } from './subscriber.js';

describe('createPublisher and createSubscriber', () => {
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

  const openSubscriber = async (): Promise<void> => {
    subscriber = createSubscriber({ server: `redis://127.0.0.1:${proxy.port}`, prefix });
    await until(() => subscriber.ready);
  };
  const newListener = (): Listener & { received: string[]; gaps: number } => ({
    received: [],
    gaps: 0,
    onMessage(message) {
      this.received.push(message);
    },
    onGap() {
      this.gaps += 1;
    },
  });
  const listenersOf = async (channel: string): Promise<number> => {
    const [, count] = (await redis.pubsub('NUMSUB', `${prefix}:${channel}`)) as [string, number];
    return count;
  };

  it('deliver messages in order to every listener', async () => {
    await openSubscriber();
    const [first, second, other] = [newListener(), newListener(), newListener()];
    await Promise.all([
      subscriber.subscribe('run-1', first),
      subscriber.subscribe('run-1', second),
      subscriber.subscribe('run-2', other),
    ]);
    const messages = Array.from({ length: 500 }, (_, n) => `message ${n}`);
    for (const message of messages) publisher.publish('run-1', message);
    await until(() => second.received.length === 500);
    expect(first.received).toEqual(messages);
    expect(second.received).toEqual(messages);
    expect(other.received).toEqual([]);
    expect(first.gaps + second.gaps).toBe(0);
  });

  it('keep one subscription per channel until its last listener leaves', async () => {
    await openSubscriber();
    const leave = [
      await subscriber.subscribe('run-3', newListener()),
      await subscriber.subscribe('run-3', newListener()),
    ];
    expect(await listenersOf('run-3')).toBe(1);
    leave[0]!();
    const remaining = newListener();
    const leaveLast = await subscriber.subscribe('run-3', remaining);
    leave[1]!();
    publisher.publish('run-3', 'still here');
    await until(() => remaining.received.length);
    leaveLast();
    await until(async () => (await listenersOf('run-3')) === 0);
    expect(subscriber.channels).toBe(0);
  });

  it('deliver to other listeners after one throws', async () => {
    await openSubscriber();
    const good = newListener();
    const bad: Listener = {
      onMessage: () => {
        throw new Error('no');
      },
      onGap: () => undefined,
    };
    await subscriber.subscribe('run-4', bad);
    await subscriber.subscribe('run-4', good);
    publisher.publish('run-4', 'a');
    await until(() => good.received.length);
    expect(good.received).toEqual(['a']);
  });

  it('report a gap after a lost connection, and deliver messages again', async () => {
    await openSubscriber();
    const listener = newListener();
    await subscriber.subscribe('run-5', listener);
    proxy.drop();
    await until(() => listener.gaps === 1);
    publisher.publish('run-5', 'after');
    await until(() => listener.received.length);
    expect(listener.received).toEqual(['after']);
  });

  it('accept a listener while Redis is unavailable and report a gap later', async () => {
    await openSubscriber();
    proxy.cut();
    await until(() => !subscriber.ready);
    const listener = newListener();
    await subscriber.subscribe('run-6', listener);
    expect(listener.gaps).toBe(0);
    proxy.heal();
    await until(() => listener.gaps === 1);
    publisher.publish('run-6', 'now');
    await until(() => listener.received.length);
    expect(listener.received).toEqual(['now']);
  });

  it('detect a connection that does not answer', async () => {
    await openSubscriber();
    const listener = newListener();
    await subscriber.subscribe('run-7', listener);
    proxy.hang();
    await until(() => !subscriber.ready);
    proxy.heal();
    await until(() => listener.gaps === 1);
    publisher.publish('run-7', 'after');
    await until(() => listener.received.length);
    expect(listener.received).toEqual(['after']);
  });

  it('drop messages while Redis is unavailable', async () => {
    await openSubscriber();
    const listener = newListener();
    await subscriber.subscribe('run-8', listener);
    const away = openRedis('redis://127.0.0.1:1', 'producer');
    createPublisher({ redis: away, prefix }).publish('run-8', 'lost');
    await closeRedis(away);
    publisher.publish('run-8', 'next');
    await until(() => listener.received.length);
    expect(listener.received).toEqual(['next']);
  });
});
