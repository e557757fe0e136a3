import type { ServerResponse } from 'node:http';
import type { Actor } from '@lensforge/core';
import type { EventLog } from './event-log.js';
import type { FeedReader } from './feed-reader.js';
import { type LogEvent, doneFrame, eventFrame } from './frame.js';
import { SseConnection } from './sse-connection.js';

export interface ReaderOptions<E extends LogEvent> {
  actor: Actor;
  log: Pick<EventLog<E>, 'endingOf' | 'doneId'>;
  /** The sequence number of the last event when the stream was requested; the stream does not end before it. */
  lastSequence: number;
  /** Set if the log had ended by then. */
  ended?: { status: string } | undefined;
  /** The sequence number of the last event that the client has. */
  sent: number;
  now: () => number;
}

/** A stream of the events of one log. */
export class Reader<E extends LogEvent> extends SseConnection implements FeedReader<E> {
  live = false;
  sent: number;
  private readonly log: ReaderOptions<E>['log'];
  private readonly lastSequence: number;
  private readonly ended: ReaderOptions<E>['ended'];

  constructor(response: ServerResponse, { actor, log, lastSequence, ended, sent, now }: ReaderOptions<E>) {
    super(response, actor, now);
    this.log = log;
    this.lastSequence = lastSequence;
    this.ended = ended;
    this.sent = sent;
  }

  send(event: E, frame: Buffer | string = eventFrame(event)): void {
    if (!this.open || event.sequence <= this.sent) return;
    if (this.overLimit) return this.cut();
    this.sent = event.sequence;
    this.write(frame);
    if (event.sequence < this.lastSequence) return;
    const status = this.log.endingOf(event) ?? this.ended?.status;
    if (status !== undefined) this.finish(status, event.occurredAt);
  }

  /** Sends the next events until the socket is full; the feed reads the rest again. */
  begin(events: readonly E[]): void {
    for (const event of events) {
      if (!this.open || this.response.writableNeedDrain || event.sequence !== this.sent + 1) return;
      this.send(event);
    }
  }

  finish(status: string, occurredAt: string): void {
    this.end(doneFrame(this.log.doneId(this.sent), status, occurredAt));
  }
}
