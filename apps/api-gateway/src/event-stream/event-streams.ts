import type { ServerResponse } from 'node:http';
import type { RunEvent } from '@lensforge/contracts';
import { isTerminal, runChannel } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { withDbRetry } from '@lensforge/database';
import type { Platform } from '@lensforge/edge';
import { platformContext } from '@lensforge/edge';
import type { Subscriber } from '@lensforge/queue';
import type { RunHead } from '@lensforge/runs';
import { readEvents, readRunPositions } from '@lensforge/runs';
import type { FastifyReply } from 'fastify';
import { Gauge } from 'prom-client';
import type { GatewayEnvironment } from '../environment.js';
import { Feed } from './feed.js';
import type { OpenConnections } from './open-connections.js';
import { Reader } from './reader.js';

const tickMs = 1000;
const missedEventsCheckMs = 2000;

/** A client's request for the events of a run, with the state of the run when it was read. */
export interface StreamRequest {
  run: RunHead;
  after: number;
  /** The first stored events after that position. */
  stored: readonly RunEvent[];
}

interface OpenFeed {
  feed: Feed;
  unsubscribe: Promise<() => void>;
}

/** The open event streams of single runs at this gateway; all streams of one run share a feed. */
export class EventStreams {
  private readonly feeds = new Map<string, OpenFeed>();
  private readonly timer: NodeJS.Timeout;
  private readonly ctx: Context;
  private checkedAt = 0;
  private checking = false;

  constructor(
    private readonly platform: Platform<GatewayEnvironment>,
    private readonly subscriber: Subscriber,
    private readonly connections: OpenConnections,
  ) {
    this.ctx = platformContext(platform);
    this.timer = setInterval(() => this.tick(), tickMs);
    const { feeds } = this;
    new Gauge({
      name: 'lensforge_event_stream_runs',
      help: 'Runs with open event streams at this gateway',
      registers: [platform.metrics.registry],
      collect() {
        this.set(feeds.size);
      },
    });
  }

  /** Opens the stream of a run that the caller may read. */
  open({ run, after, stored }: StreamRequest, ctx: Context, reply: FastifyReply): void {
    const ended = isTerminal(run.status);
    if (ended && after > run.lastSequence) {
      void reply.code(204).send();
      return;
    }
    const sent = Math.min(after, run.lastSequence);
    const make = (response: ServerResponse): Reader => new Reader(response, ctx.actor, sent, () => performance.now());
    const reader = this.connections.begin(ctx, reply, make);
    const response = reply.raw;
    if (ended && after === run.lastSequence) {
      reader.finish(run.status, run.completedAt ?? ctx.now().toISOString());
      return;
    }
    if (after <= run.lastSequence) reader.begin(stored);
    // Node.js flushes the first events at the end of this tick; the rest follows after that.
    process.nextTick(() => {
      if (!reader.open) return;
      if (ended) this.catchUp(this.newFeed(run.id), reader);
      else this.follow(run.id, reader, response);
    });
  }

  close(): void {
    clearInterval(this.timer);
  }

  private follow(runId: string, reader: Reader, response: ServerResponse): void {
    const open = this.feeds.get(runId) ?? this.subscribe(runId);
    open.feed.readers.add(reader);
    response.once('close', () => {
      open.feed.readers.delete(reader);
      if (open.feed.readers.size > 0) return;
      this.feeds.delete(runId);
      void open.unsubscribe.then((unsubscribe) => unsubscribe());
    });
    void open.unsubscribe.then(() => this.catchUp(open.feed, reader));
  }

  private subscribe(runId: string): OpenFeed {
    const feed = this.newFeed(runId);
    const unsubscribe = this.subscriber.subscribe(runChannel(runId), {
      onMessage: (message) => feed.receive(JSON.parse(message) as RunEvent),
      onGap: () => (this.checkedAt = 0),
    });
    const open = { feed, unsubscribe };
    this.feeds.set(runId, open);
    return open;
  }

  private newFeed(runId: string): Feed {
    return new Feed(
      runId,
      (id, after, limit) => withDbRetry(() => readEvents(this.ctx, id, after, limit)),
      (reason) => this.platform.logger.warn({ err: reason, runId }, 'the events of a run could not be read'),
    );
  }

  private catchUp(feed: Feed, reader: Reader): void {
    feed.catchUp(reader).catch((reason: unknown) => {
      this.platform.logger.warn(
        { err: reason, runId: feed.runId },
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
  }

  /** Reads the last sequence numbers of all followed runs, because pub/sub may lose messages. */
  private async checkForMissedEvents(): Promise<void> {
    if (this.feeds.size === 0) return;
    this.checking = true;
    try {
      for (const { id, lastSequence } of await readRunPositions(this.ctx, [...this.feeds.keys()])) {
        this.feeds.get(id)?.feed.fillUpTo(lastSequence);
      }
    } catch (err) {
      this.platform.logger.warn({ err }, 'the check for missed events failed');
    } finally {
      this.checking = false;
    }
  }
}
