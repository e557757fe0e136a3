import { type Log, silentLog } from './log.js';
import type { RedisAddress } from './redis-address.js';
import { closeRedis, isReady, openRedis } from './redis.js';
import { timedOut, withTimeout } from './with-timeout.js';

export interface Listener {
  onMessage(message: string): void;
  /** Messages may have been missed; the listener must read the state from PostgreSQL. */
  onGap(): void;
}

export interface Subscriber {
  /**
   * Resolves with a function that unsubscribes, once messages arrive. While Redis is unavailable it resolves too, and
   * `onGap` is called as soon as messages arrive.
   */
  subscribe(channel: string, listener: Listener): Promise<() => void>;
  readonly ready: boolean;
  /** Channels with at least one listener. */
  readonly channels: number;
  close(): Promise<void>;
}

export interface SubscriberOptions {
  server: string | RedisAddress;
  /** The prefix of the publisher. */
  prefix: string;
  log?: Log;
}

interface Channel {
  listeners: Set<Listener>;
  /** Calls of `subscribe` that wait for the channel to become active. */
  waiting: Set<() => void>;
  /** Listeners that need `onGap` when the channel becomes active. */
  gapped: Set<Listener>;
  state: 'pending' | 'subscribing' | 'active';
}

const subscribeTimeoutMs = 500;
const pingIntervalMs = 3000;
const pingTimeoutMs = 2000;
const maxChannelsPerCommand = 500;

/** Uses one connection for all channels and listeners of a process. */
export function createSubscriber({ server, prefix, log = silentLog }: SubscriberOptions): Subscriber {
  const redis = openRedis(server, 'subscriber', { name: 'subscriber', log });
  const channels = new Map<string, Channel>();
  const abandoned = new Set<string>();
  let scheduled = false;

  const activate = (name: string, channel: Channel): void => {
    if (channels.get(name) !== channel || channel.state !== 'subscribing') return;
    channel.state = 'active';
    for (const settle of channel.waiting) settle();
    const { gapped } = channel;
    channel.gapped = new Set();
    for (const listener of gapped) notify(() => listener.onGap());
  };

  /** Subscribes and unsubscribes channels at Redis, with one command for all changes of an event loop iteration. */
  const synchronise = (): void => {
    scheduled = false;
    if (!isReady(redis)) return;
    const unused = [...abandoned].filter((name) => !channels.has(name));
    abandoned.clear();
    for (const chunk of chunks(unused)) redis.unsubscribe(...chunk).catch(() => undefined);
    const pending = [...channels].filter(([, { state }]) => state === 'pending');
    for (const [, channel] of pending) channel.state = 'subscribing';
    for (const chunk of chunks(pending)) {
      redis.subscribe(...chunk.map(([name]) => name)).then(
        () => {
          for (const [name, channel] of chunk) activate(name, channel);
        },
        (reason: unknown) => {
          if (isReady(redis)) log.warn({ reason: String(reason) }, 'Redis refused a subscription');
        },
      );
    }
  };

  const schedule = (): void => {
    if (scheduled) return;
    scheduled = true;
    setImmediate(synchronise);
  };

  const notify = (call: () => void): void => {
    try {
      call();
    } catch (err) {
      log.error({ err }, 'a pub/sub listener threw an error');
    }
  };

  redis.on('message', (name, message) => {
    for (const listener of channels.get(name)?.listeners ?? []) notify(() => listener.onMessage(message));
  });
  redis.on('ready', schedule);
  redis.on('close', () => {
    abandoned.clear();
    for (const channel of channels.values()) {
      channel.state = 'pending';
      for (const settle of channel.waiting) settle();
      channel.gapped = new Set(channel.listeners);
    }
  });

  // Only a missing answer shows that a connection died without being closed.
  const ping = async (): Promise<void> => {
    if (!isReady(redis)) return;
    const answer = await withTimeout(pingTimeoutMs, redis.ping()).catch(() => undefined);
    if (answer === timedOut) redis.disconnect(true);
  };
  const pinging = setInterval(() => void ping(), pingIntervalMs);
  pinging.unref();

  const unsubscribe = (name: string, channel: Channel, listener: Listener): void => {
    channel.listeners.delete(listener);
    channel.gapped.delete(listener);
    if (channel.listeners.size > 0 || channels.get(name) !== channel) return;
    channels.delete(name);
    if (channel.state === 'pending') return;
    abandoned.add(name);
    schedule();
  };

  const waitUntilActive = async (channel: Channel): Promise<boolean> => {
    if (!isReady(redis)) return false;
    let settle: () => void = () => undefined;
    const settled = new Promise<void>((resolve) => {
      settle = resolve;
    });
    channel.waiting.add(settle);
    await withTimeout(subscribeTimeoutMs, settled);
    channel.waiting.delete(settle);
    return isActive(channel);
  };

  return {
    subscribe: async (channelName, listener) => {
      const name = `${prefix}:${channelName}`;
      const channel = channels.get(name) ?? {
        listeners: new Set(),
        waiting: new Set(),
        gapped: new Set(),
        state: 'pending',
      };
      channels.set(name, channel);
      channel.listeners.add(listener);
      if (channel.state === 'pending') schedule();
      if (!isActive(channel) && !(await waitUntilActive(channel))) channel.gapped.add(listener);
      return () => unsubscribe(name, channel, listener);
    },
    get ready() {
      return isReady(redis);
    },
    get channels() {
      return channels.size;
    },
    close: async () => {
      clearInterval(pinging);
      await closeRedis(redis);
    },
  };
}

const isActive = ({ state }: Channel): boolean => state === 'active';

function chunks<T>(items: readonly T[]): T[][] {
  const count = Math.ceil(items.length / maxChannelsPerCommand);
  return Array.from({ length: count }, (_, n) =>
    items.slice(n * maxChannelsPerCommand, (n + 1) * maxChannelsPerCommand),
  );
}
