import type { ServerResponse } from 'node:http';
import type { RunEvent } from '@lensforge/contracts';
import { isTerminal, runChannel } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { DomainError } from '@lensforge/core';
import { rideOut } from '@lensforge/database';
import type { Bearer, Platform } from '@lensforge/edge';
import type { Subscriber } from '@lensforge/queue';
import type { RunHead } from '@lensforge/runs';
import { readEvents, runPlaces } from '@lensforge/runs';
import type { FastifyReply } from 'fastify';
import { Gauge } from 'prom-client';
import type { GatewayEnvironment } from '../environment.js';
import { Feed } from './feed.js';
import { doneFrame, retryAfter } from './frame.js';
import { Reader } from './reader.js';

const tickMs = 1000;
const keepAliveMs = 15_000;
const stallMs = 30_000;
const backstopMs = 2000;
const reauthoriseMs = 15_000;
const usualRetryMs = 2000;

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

/** All event streams that are open at this gateway, and the one feed per run that serves them. */
export class EventStreams {
  private readonly feeds = new Map<string, Open>();
  private readonly perAccount = new Map<string, number>();
  private readonly replaying = new Set<Reader>();
  private readonly timers: NodeJS.Timeout[];
  private backstopped = 0;
  private reauthorised = 0;
  private looking = false;

  constructor(
    private readonly platform: Platform<GatewayEnvironment>,
    private readonly subscriber: Subscriber,
    private readonly bearer: Bearer,
  ) {
    this.timers = [setInterval(() => this.tick(), tickMs)];
    const readers = (): number => this.count();
    const feeds = (): number => this.feeds.size;
    this.gauge('lensforge_event_stream_readers', 'Event streams that are open at this gateway', readers);
    this.gauge('lensforge_event_stream_runs', 'Runs that are followed live at this gateway', feeds);
  }

  /** Answers with the stream of a run that the caller may read. */
  open({ run, after, stored }: Wanted, ctx: Context, reply: FastifyReply): void {
    const ended = isTerminal(run.status);
    if (ended && after > run.lastSequence) {
      void reply.code(204).send();
      return;
    }
    this.admit(ctx.actor.accountId);
    const response = begin(reply);
    const reader = new Reader(response, ctx.actor, Math.min(after, run.lastSequence), () => performance.now());
    response.once('close', () => this.release(ctx.actor.accountId));
    if (ended && after === run.lastSequence) {
      response.end(doneFrame(run.lastSequence, run.status, run.completedAt ?? ctx.now().toISOString()));
      return;
    }
    if (after <= run.lastSequence) reader.begin(stored);
    if (!reader.open) return;
    if (ended) {
      this.replay(run.id, reader, response);
    } else {
      this.follow(run.id, reader, response);
    }
  }

  /** Sends everybody elsewhere, not all at the same moment. */
  close(): void {
    for (const timer of this.timers) clearInterval(timer);
    for (const reader of this.readers()) reader.leave(Math.round(500 + Math.random() * 2000));
  }

  private replay(runId: string, reader: Reader, response: ServerResponse): void {
    this.replaying.add(reader);
    response.once('close', () => this.replaying.delete(reader));
    this.catchUp(this.newFeed(runId), reader);
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
    const db = this.platform.database.manager;
    return new Feed(
      runId,
      (id, after, most) => rideOut(() => readEvents(db, id, after, most)),
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
    for (const reader of this.readers()) reader.tick({ keepAliveMs, stallMs });
    const now = performance.now();
    if (now - this.backstopped >= backstopMs && !this.looking) {
      this.backstopped = now;
      void this.lookForMissedEvents();
    }
    if (now - this.reauthorised >= reauthoriseMs) {
      this.reauthorised = now;
      void this.reauthorise();
    }
  }

  /** One question to Postgres for all runs that are followed: pub/sub may lose messages, rows it cannot lose. */
  private async lookForMissedEvents(): Promise<void> {
    if (this.feeds.size === 0) return;
    this.looking = true;
    try {
      for (const { id, lastSequence } of await runPlaces(this.platform.database.manager, [...this.feeds.keys()])) {
        this.feeds.get(id)?.feed.reached(lastSequence);
      }
    } catch (err) {
      this.platform.logger.warn({ err }, 'missed events cannot be looked for');
    } finally {
      this.looking = false;
    }
  }

  private async reauthorise(): Promise<void> {
    const byCredential = new Map<string, Reader[]>();
    for (const reader of this.readers()) {
      const { id, until } = reader.actor.credential;
      const name = `${id} ${until}`;
      byCredential.set(name, [...(byCredential.get(name) ?? []), reader]);
    }
    await Promise.all(
      [...byCredential.values()].map(async (readers) => {
        const [first] = readers;
        const valid = first ? await this.bearer.reauthorise(first.actor).catch(() => true) : true;
        if (!valid) for (const reader of readers) reader.leave(usualRetryMs);
      }),
    );
  }

  private admit(accountId: string): void {
    const open = this.perAccount.get(accountId) ?? 0;
    const most = this.platform.environment.LENSFORGE_STREAMS_PER_ACCOUNT;
    if (open >= most) {
      throw new DomainError('RATE_LIMITED', `This account has ${most} event streams open here: close some first`);
    }
    this.perAccount.set(accountId, open + 1);
  }

  private release(accountId: string): void {
    const open = (this.perAccount.get(accountId) ?? 1) - 1;
    if (open > 0) this.perAccount.set(accountId, open);
    else this.perAccount.delete(accountId);
  }

  private *readers(): Iterable<Reader> {
    for (const { feed } of this.feeds.values()) yield* feed.readers;
    yield* this.replaying;
  }

  private count(): number {
    let readers = this.replaying.size;
    for (const { feed } of this.feeds.values()) readers += feed.readers.size;
    return readers;
  }

  private gauge(name: string, help: string, read: () => number): void {
    const { registry } = this.platform.metrics;
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read());
      },
    });
  }
}

/** From here on the answer is written by hand: headers at once, frames as they come. */
function begin(reply: FastifyReply): ServerResponse {
  const headers = reply.getHeaders();
  reply.hijack();
  const response = reply.raw;
  response.writeHead(200, {
    ...(headers as Record<string, string>),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
  });
  response.write(retryAfter(usualRetryMs));
  response.socket?.setNoDelay(true);
  return response;
}
