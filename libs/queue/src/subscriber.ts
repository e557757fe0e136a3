import type { Log } from './log.js';
import { silentLog } from './log.js';
import { closeRedis, isReady, openRedis } from './redis.js';
import { timedOut, withTimeout } from './with-timeout.js';

export interface Listener {
  onMessage(message: string): void;
  /** Messages may have been missed: read from PostgreSQL what happened. */
  onGap(): void;
}

export interface Subscriber {
  /**
   * Settles when messages flow. While Redis is away it settles all the same, and `onGap` is called when they flow
   * at last. Gives the way to leave.
   */
  subscribe(channel: string, listener: Listener): Promise<() => void>;
  readonly ready: boolean;
  /** Channels with at least one listener. */
  readonly channels: number;
  close(): Promise<void>;
}

export interface SubscriberOptions {
  redisUrl: string;
  /** The publisher's. */
  prefix: string;
  log?: Log;
}

interface Channel {
  listeners: Set<Listener>;
  /** Those whose `subscribe` waits for the channel to flow. */
  waiting: Set<() => void>;
  /** Those who were told to go ahead before it did. */
  gapped: Set<Listener>;
  state: 'wanted' | 'asked' | 'flowing';
}

const patienceMs = 500;
const pingEveryMs = 3000;
const pingLimitMs = 2000;
const mostInOneCommand = 500;

/** One connection for all channels of a process, however many listen to each. */
export function createSubscriber({ redisUrl, prefix, log = silentLog }: SubscriberOptions): Subscriber {
  const redis = openRedis(redisUrl, 'subscriber', { name: 'subscriber', log });
  const channels = new Map<string, Channel>();
  const left = new Set<string>();
  let scheduled = false;

  const flow = (name: string, channel: Channel): void => {
    if (channels.get(name) !== channel || channel.state !== 'asked') return;
    channel.state = 'flowing';
    for (const settle of channel.waiting) settle();
    const { gapped } = channel;
    channel.gapped = new Set();
    for (const listener of gapped) tell(() => listener.onGap());
  };

  /** Brings Redis in line with what is wanted; the changes of one turn of the event loop are one command. */
  const adjust = (): void => {
    scheduled = false;
    if (!isReady(redis)) return;
    const gone = [...left].filter((name) => !channels.has(name));
    left.clear();
    for (const some of chunks(gone)) redis.unsubscribe(...some).catch(() => undefined);
    const wanted = [...channels].filter(([, { state }]) => state === 'wanted');
    for (const [, channel] of wanted) channel.state = 'asked';
    for (const some of chunks(wanted)) {
      redis.subscribe(...some.map(([name]) => name)).then(
        () => {
          for (const [name, channel] of some) flow(name, channel);
        },
        (reason: unknown) => {
          if (isReady(redis)) log.warn({ reason: String(reason) }, 'Redis refuses a subscription');
        },
      );
    }
  };

  const schedule = (): void => {
    if (scheduled) return;
    scheduled = true;
    setImmediate(adjust);
  };

  const tell = (call: () => void): void => {
    try {
      call();
    } catch (err) {
      log.error({ err }, 'a listener failed');
    }
  };

  redis.on('message', (name, message) => {
    for (const listener of channels.get(name)?.listeners ?? []) tell(() => listener.onMessage(message));
  });
  redis.on('ready', schedule);
  redis.on('close', () => {
    left.clear();
    for (const channel of channels.values()) {
      channel.state = 'wanted';
      for (const settle of channel.waiting) settle();
      channel.gapped = new Set(channel.listeners);
    }
  });

  // A connection that died without a word keeps its state; only an answer that does not come tells.
  const ping = async (): Promise<void> => {
    if (!isReady(redis)) return;
    const answer = await withTimeout(pingLimitMs, redis.ping()).catch(() => undefined);
    if (answer === timedOut) redis.disconnect(true);
  };
  const pinging = setInterval(() => void ping(), pingEveryMs);
  pinging.unref();

  const leave = (name: string, channel: Channel, listener: Listener): void => {
    channel.listeners.delete(listener);
    channel.gapped.delete(listener);
    if (channel.listeners.size > 0 || channels.get(name) !== channel) return;
    channels.delete(name);
    if (channel.state === 'wanted') return;
    left.add(name);
    schedule();
  };

  const flowing = async (channel: Channel): Promise<boolean> => {
    if (!isReady(redis)) return false;
    let settle: () => void = () => undefined;
    const settled = new Promise<void>((resolve) => {
      settle = resolve;
    });
    channel.waiting.add(settle);
    await withTimeout(patienceMs, settled);
    channel.waiting.delete(settle);
    return isFlowing(channel);
  };

  return {
    subscribe: async (given, listener) => {
      const name = `${prefix}:${given}`;
      const channel = channels.get(name) ?? {
        listeners: new Set(),
        waiting: new Set(),
        gapped: new Set(),
        state: 'wanted',
      };
      channels.set(name, channel);
      channel.listeners.add(listener);
      if (channel.state === 'wanted') schedule();
      if (!isFlowing(channel) && !(await flowing(channel))) channel.gapped.add(listener);
      return () => leave(name, channel, listener);
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

const isFlowing = ({ state }: Channel): boolean => state === 'flowing';

function chunks<T>(items: readonly T[]): T[][] {
  const count = Math.ceil(items.length / mostInOneCommand);
  return Array.from({ length: count }, (_, n) => items.slice(n * mostInOneCommand, (n + 1) * mostInOneCommand));
}
