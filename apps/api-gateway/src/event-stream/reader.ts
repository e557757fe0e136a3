import type { ServerResponse } from 'node:http';
import type { RunEvent, RunStatus } from '@lensforge/contracts';
import type { Actor } from '@lensforge/core';
import { doneFrame, endingOf, eventFrame } from './frame.js';
import { SseConnection } from './sse-connection.js';

/** A stream of the events of one run. */
export class Reader extends SseConnection {
  /** True once the reader follows the feed; false while it still receives stored events. */
  live = false;

  constructor(
    response: ServerResponse,
    actor: Actor,
    /** The sequence number of the last event that was sent. */
    public sent: number,
    now: () => number,
  ) {
    super(response, actor, now);
  }

  send(event: RunEvent, frame: Buffer | string = eventFrame(event)): void {
    if (!this.open || event.sequence <= this.sent) return;
    if (this.overLimit) return this.cut();
    this.sent = event.sequence;
    this.write(frame);
    const ending = endingOf(event);
    if (ending) this.finish(ending, event.occurredAt);
  }

  /** Sends the next events until the socket is full; the feed reads the rest again. */
  begin(events: readonly RunEvent[]): void {
    for (const event of events) {
      if (!this.open || this.response.writableNeedDrain || event.sequence !== this.sent + 1) return;
      this.send(event);
    }
  }

  finish(status: RunStatus, occurredAt: string): void {
    this.end(doneFrame(this.sent, status, occurredAt));
  }
}
