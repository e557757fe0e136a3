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

export const createSubscriber = (options: SubscriberOptions): Subscriber => new RedisSubscriber(options);

/** Uses one connection for all channels and listeners of a process. */
class RedisSubscriber implements Subscriber {
  private readonly redis: ReturnType<typeof openRedis>;
  private readonly byName = new Map<string, Channel>();
  private readonly abandoned = new Set<string>();
  private readonly prefix: string;
  private readonly log: Log;
  private readonly pinging: NodeJS.Timeout;
  private scheduled = false;

  constructor({ server, prefix, log = silentLog }: SubscriberOptions) {
    this.prefix = prefix;
    this.log = log;
    this.redis = openRedis(server, 'subscriber', { name: 'subscriber', log });
    this.redis.on('message', (name, message) => {
      for (const listener of this.byName.get(name)?.listeners ?? []) this.notify(() => listener.onMessage(message));
    });
    this.redis.on('ready', () => this.schedule());
    this.redis.on('close', () => this.disconnected());
    this.pinging = setInterval(() => void this.ping(), pingIntervalMs);
    this.pinging.unref();
  }

  get ready(): boolean {
    return isReady(this.redis);
  }

  get channels(): number {
    return this.byName.size;
  }

  async subscribe(channelName: string, listener: Listener): Promise<() => void> {
    const name = `${this.prefix}:${channelName}`;
    const channel = this.byName.get(name) ?? {
      listeners: new Set(),
      waiting: new Set(),
      gapped: new Set(),
      state: 'pending',
    };
    this.byName.set(name, channel);
    channel.listeners.add(listener);
    if (channel.state === 'pending') this.schedule();
    if (!isActive(channel) && !(await this.waitUntilActive(channel))) channel.gapped.add(listener);
    return () => this.unsubscribe(name, channel, listener);
  }

  async close(): Promise<void> {
    clearInterval(this.pinging);
    await closeRedis(this.redis);
  }

  private schedule(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    setImmediate(() => this.synchronise());
  }

  /** Subscribes and unsubscribes channels at Redis, with one command for all changes of an event loop iteration. */
  private synchronise(): void {
    this.scheduled = false;
    if (!this.ready) return;
    const unused = [...this.abandoned].filter((name) => !this.byName.has(name));
    this.abandoned.clear();
    for (const chunk of chunks(unused)) this.redis.unsubscribe(...chunk).catch(() => undefined);
    const pending = [...this.byName].filter(([, { state }]) => state === 'pending');
    for (const [, channel] of pending) channel.state = 'subscribing';
    for (const chunk of chunks(pending)) {
      this.redis.subscribe(...chunk.map(([name]) => name)).then(
        () => {
          for (const [name, channel] of chunk) this.activate(name, channel);
        },
        (reason: unknown) => {
          if (this.ready) this.log.warn({ reason: String(reason) }, 'Redis refused a subscription');
        },
      );
    }
  }

  private activate(name: string, channel: Channel): void {
    if (this.byName.get(name) !== channel || channel.state !== 'subscribing') return;
    channel.state = 'active';
    for (const settle of channel.waiting) settle();
    const { gapped } = channel;
    channel.gapped = new Set();
    for (const listener of gapped) this.notify(() => listener.onGap());
  }

  private disconnected(): void {
    this.abandoned.clear();
    for (const channel of this.byName.values()) {
      channel.state = 'pending';
      for (const settle of channel.waiting) settle();
      channel.gapped = new Set(channel.listeners);
    }
  }

  private notify(call: () => void): void {
    try {
      call();
    } catch (err) {
      this.log.error({ err }, 'a pub/sub listener threw an error');
    }
  }

  /** Only a missing answer shows that a connection died without being closed. */
  private async ping(): Promise<void> {
    if (!this.ready) return;
    const answer = await withTimeout(pingTimeoutMs, this.redis.ping()).catch(() => undefined);
    if (answer === timedOut) this.redis.disconnect(true);
  }

  private unsubscribe(name: string, channel: Channel, listener: Listener): void {
    channel.listeners.delete(listener);
    channel.gapped.delete(listener);
    if (channel.listeners.size > 0 || this.byName.get(name) !== channel) return;
    this.byName.delete(name);
    if (channel.state === 'pending') return;
    this.abandoned.add(name);
    this.schedule();
  }

  private async waitUntilActive(channel: Channel): Promise<boolean> {
    if (!this.ready) return false;
    let settle: () => void = () => undefined;
    const settled = new Promise<void>((resolve) => {
      settle = resolve;
    });
    channel.waiting.add(settle);
    await withTimeout(subscribeTimeoutMs, settled);
    channel.waiting.delete(settle);
    return isActive(channel);
  }
}

const isActive = ({ state }: Channel): boolean => state === 'active';

function chunks<T>(items: readonly T[]): T[][] {
  const count = Math.ceil(items.length / maxChannelsPerCommand);
  return Array.from({ length: count }, (_, n) =>
    items.slice(n * maxChannelsPerCommand, (n + 1) * maxChannelsPerCommand),
  );
}
