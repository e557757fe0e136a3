import type { ServerResponse } from 'node:http';
import type { RunEvent } from '@lensforge/contracts';
import { isTerminal, runChannel } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { newId, platformActor } from '@lensforge/core';
import { withDbRetry } from '@lensforge/database';
import type { Platform } from '@lensforge/edge';
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
const backstopMs = 2000;

/** What a reader asked for, and what there was of it when the run was read. */
export interface Wanted {
  run: RunHead;
  after: number;
  /** The first stored events after that place. */
  stored: readonly RunEvent[];
}

interface Open {
  feed: Feed;
  leave: Promise<() => void>;
}

/** The streams of single runs that are open at this gateway, and the one feed per run that serves them. */
export class EventStreams {
  private readonly feeds = new Map<string, Open>();
  private readonly timer: NodeJS.Timeout;
  private readonly ctx: Context;
  private backstopped = 0;
  private looking = false;

  constructor(
    private readonly platform: Platform<GatewayEnvironment>,
    private readonly subscriber: Subscriber,
    private readonly lines: OpenConnections,
  ) {
    const { database, now } = platform;
    this.ctx = { actor: platformActor, db: database.manager, now, requestId: newId() };
    this.timer = setInterval(() => this.tick(), tickMs);
    const { feeds } = this;
    new Gauge({
      name: 'lensforge_event_stream_runs',
      help: 'Runs that are followed live at this gateway',
      registers: [platform.metrics.registry],
      collect() {
        this.set(feeds.size);
      },
    });
  }

  /** Answers with the stream of a run that the caller may read. */
  open({ run, after, stored }: Wanted, ctx: Context, reply: FastifyReply): void {
    const ended = isTerminal(run.status);
    if (ended && after > run.lastSequence) {
      void reply.code(204).send();
      return;
    }
    const sent = Math.min(after, run.lastSequence);
    const make = (response: ServerResponse): Reader => new Reader(response, ctx.actor, sent, () => performance.now());
    const reader = this.lines.begin(ctx, reply, make);
    const response = reply.raw;
    if (ended && after === run.lastSequence) {
      reader.finish(run.status, run.completedAt ?? ctx.now().toISOString());
      return;
    }
    if (after <= run.lastSequence) reader.begin(stored);
    // Node sends what was written at the end of this turn: the rest comes after it.
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
      void open.leave.then((leave) => leave());
    });
    void open.leave.then(() => this.catchUp(open.feed, reader));
  }

  private subscribe(runId: string): Open {
    const feed = this.newFeed(runId);
    const leave = this.subscriber.subscribe(runChannel(runId), {
      onMessage: (message) => feed.hear(JSON.parse(message) as RunEvent),
      onGap: () => (this.backstopped = 0),
    });
    const open = { feed, leave };
    this.feeds.set(runId, open);
    return open;
  }

  private newFeed(runId: string): Feed {
    return new Feed(
      runId,
      (id, after, most) => withDbRetry(() => readEvents(this.ctx, id, after, most)),
      (reason) => this.platform.logger.warn({ err: reason, runId }, 'the events of a run cannot be read'),
    );
  }

  private catchUp(feed: Feed, reader: Reader): void {
    feed.catchUp(reader).catch((reason: unknown) => {
      this.platform.logger.warn({ err: reason, runId: feed.runId }, 'an event stream was cut: its client resumes');
      reader.cut();
    });
  }

  private tick(): void {
    const now = performance.now();
    if (now - this.backstopped >= backstopMs && !this.looking) {
      this.backstopped = now;
      void this.lookForMissedEvents();
    }
  }

  /** One question to Postgres for all runs that are followed: pub/sub may lose messages, rows it cannot lose. */
  private async lookForMissedEvents(): Promise<void> {
    if (this.feeds.size === 0) return;
    this.looking = true;
    try {
      for (const { id, lastSequence } of await readRunPositions(this.ctx, [...this.feeds.keys()])) {
        this.feeds.get(id)?.feed.reached(lastSequence);
      }
    } catch (err) {
      this.platform.logger.warn({ err }, 'missed events cannot be looked for');
    } finally {
      this.looking = false;
    }
  }
}
