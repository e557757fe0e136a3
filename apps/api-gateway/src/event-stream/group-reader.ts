import type { ServerResponse } from 'node:http';
import type { RunStatus } from '@lensforge/contracts';
import type { Actor } from '@lensforge/core';
import type { RunStream, StreamedEvent } from '@lensforge/runs';
import { groupDoneFrame, groupFrame } from './frame.js';
import { SseConnection } from './sse-connection.js';

export interface GroupReaderOptions {
  actor: Actor;
  stream: RunStream;
  /** The position of the last event that the client has. */
  sent: number;
  now: () => number;
}

/** A stream of the events of a batch or tag. */
export class GroupReader extends SseConnection {
  /** True while the feed sends to this reader. */
  sending = false;

  /** The position of the last event that was sent or skipped. */
  sent: number;
  private readonly stream: RunStream;

  constructor(response: ServerResponse, { actor, stream, sent, now }: GroupReaderOptions) {
    super(response, actor, now);
    this.stream = stream;
    this.sent = sent;
  }

  send({ position, kind, event }: StreamedEvent): void {
    if (!this.open || position <= this.sent) return;
    if (this.overLimit) return this.cut();
    this.sent = position;
    if (this.stream.kinds.includes(kind)) this.write(groupFrame(this.stream.id, position, event));
  }

  finish(statuses: Partial<Record<RunStatus, number>>, occurredAt: string): void {
    this.end(groupDoneFrame(this.stream.id, this.sent + 1, statuses, occurredAt));
  }
}
