import type { ServerResponse } from 'node:http';
import type { Context } from '@lensforge/core';
import { readFromReplica } from '@lensforge/database';
import { type Platform, platformContext } from '@lensforge/edge';
import type { Subscriber } from '@lensforge/queue';
import type { FastifyReply } from 'fastify';
import { Gauge } from 'prom-client';
import type { GatewayEnvironment } from '../environment.js';
import type { EventLog } from './event-log.js';
import { Feed } from './feed.js';
import type { FeedReader } from './feed-reader.js';
import type { LogEvent } from './frame.js';
import type { OpenConnections } from './open-connections.js';
import { Reader } from './reader.js';

const tickMs = 1000;
const missedEventsCheckMs = 2000;
const accessCheckMs = 5000;

/** A client's request for the events of a log, with the state of the log when it was read. */
export interface StreamRequest<E> {
  id: string;
  lastSequence: number;
  /** The ending of a log that has ended. */
  ended?: { status: string; at: string } | undefined;
  after: number;
  /** The first stored events after that position. */
  stored: readonly E[];
}

export interface StreamParts {
  platform: Platform<GatewayEnvironment>;
  subscriber: Subscriber;
  connections: OpenConnections;
}

interface OpenFeed<E extends LogEvent> {
  feed: Feed<E>;
  unsubscribe: Promise<() => void>;
}

/** The open event streams of one kind of log at this gateway; all streams of one log share a feed. */
export class EventStreams<E extends LogEvent> {
  private readonly feeds = new Map<string, OpenFeed<E>>();
  private readonly timer: NodeJS.Timeout;
  private readonly ctx: Context;
  private checkedAt = 0;
  private accessCheckedAt = performance.now();
  private checking = false;

  private readonly platform: StreamParts['platform'];
  private readonly subscriber: Subscriber;
  private readonly connections: OpenConnections;

  constructor(
    private readonly log: EventLog<E>,
    { platform, subscriber, connections }: StreamParts,
  ) {
    this.platform = platform;
    this.subscriber = subscriber;
    this.connections = connections;
    this.ctx = platformContext(platform);
    this.timer = setInterval(() => this.tick(), tickMs);
    const { feeds } = this;
    new Gauge({
      name: log.gauge,
      help: `The ${log.kind} with open event streams at this gateway`,
      registers: [platform.metrics.registry],
      collect() {
        this.set(feeds.size);
      },
    });
  }

  /** Opens the stream of a log that the caller may read. */
  async open(request: StreamRequest<E>, ctx: Context, reply: FastifyReply): Promise<void> {
    await reply.request.counted;
    const { id, lastSequence, ended, after, stored } = request;
    const { log } = this;
    if (ended && after >= log.doneId(lastSequence)) {
      void reply.code(204).send();
      return;
    }
    const sent = Math.min(after, lastSequence);
    const { actor } = ctx;
    const now = (): number => performance.now();
    const make = (response: ServerResponse): Reader<E> =>
      new Reader(response, { actor, log, lastSequence, ended, sent, now });
    const slot = await this.connections.admit(ctx, reply);
    if (!slot) return;
    const reader = this.connections.begin(slot, reply, make);
    const response = reply.raw;
    if (ended && after === lastSequence) {
      reader.finish(ended.status, ended.at);
      return;
    }
    if (after <= lastSequence) reader.begin(stored);
    // Node.js flushes the first events at the end of this tick; the rest follows after that.
    process.nextTick(() => {
      if (!reader.open) return;
      if (ended) this.catchUp(this.newFeed(id), reader);
      else response.once('close', this.follow(id, reader));
    });
  }

  close(): void {
    clearInterval(this.timer);
  }

  /** Sends a reader all events that it lacks, now and later; call what this returns when the reader has ended. */
  follow(id: string, reader: FeedReader<E>): () => void {
    const open = this.feeds.get(id) ?? this.subscribe(id);
    const { readers } = open.feed;
    readers.add(reader);
    void open.unsubscribe.then(() => this.catchUp(open.feed, reader));
    return () => {
      if (!readers.delete(reader) || readers.size > 0) return;
      this.feeds.delete(id);
      void open.unsubscribe.then((unsubscribe) => unsubscribe());
    };
  }

  private subscribe(id: string): OpenFeed<E> {
    const feed = this.newFeed(id);
    const unsubscribe = this.subscriber.subscribe(this.log.channel(id), {
      onMessage: (message) => {
        const received = this.log.parse(message);
        if (typeof received === 'number') feed.fillUpTo(received);
        else feed.receive(received);
      },
      onGap: () => (this.checkedAt = 0),
    });
    const open = { feed, unsubscribe };
    this.feeds.set(id, open);
    return open;
  }

  private newFeed(id: string): Feed<E> {
    const { kind } = this.log;
    return new Feed(
      id,
      (_, after, limit) => readFromReplica(this.ctx, (ctx) => this.log.read(ctx, id, after, limit)),
      (reason) => this.platform.logger.warn({ err: reason, kind, id }, 'the events of a log could not be read'),
    );
  }

  private catchUp(feed: Feed<E>, reader: FeedReader<E>): void {
    feed.catchUp(reader).catch((reason: unknown) => {
      this.platform.logger.warn(
        { err: reason, kind: this.log.kind, id: feed.id },
        'an event stream was closed after an error; its client will resume',
      );
      reader.cut();
    });
  }

  private tick(): void {
    const now = performance.now();
    if (now - this.checkedAt >= missedEventsCheckMs && !this.checking) {
      this.checkedAt = now;
      void this.checkForMissedEvents();
    }
    if (now - this.accessCheckedAt >= accessCheckMs) {
      this.accessCheckedAt = now;
      void this.checkAccess();
    }
  }

  /** Reads the last sequence numbers of all followed logs, because pub/sub may lose messages. */
  private async checkForMissedEvents(): Promise<void> {
    if (this.feeds.size === 0) return;
    this.checking = true;
    try {
      for (const { id, lastSequence } of await this.log.positions(this.ctx, [...this.feeds.keys()])) {
        this.feeds.get(id)?.feed.fillUpTo(lastSequence);
      }
    } catch (err) {
      this.platform.logger.warn({ err }, 'the check for missed events failed');
    } finally {
      this.checking = false;
    }
  }

  /** Closes streams whose callers may no longer read the log; their clients get 404 when they reconnect. */
  private async checkAccess(): Promise<void> {
    const { canFollow } = this.log;
    if (!canFollow) return;
    for (const [id, { feed }] of this.feeds) {
      const allowed = new Map<string, boolean>();
      for (const reader of feed.readers) {
        const { actor } = reader;
        const name = `${actor.accountId} ${actor.credential.id}`;
        const may = allowed.get(name) ?? (await canFollow({ ...this.ctx, actor }, id).catch(() => true));
        allowed.set(name, may);
        if (!may) reader.cut();
      }
    }
  }
}
