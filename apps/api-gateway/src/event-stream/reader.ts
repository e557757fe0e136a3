import type { ServerResponse } from 'node:http';
import type { RunEvent, RunStatus } from '@lensforge/contracts';
import type { Actor } from '@lensforge/core';
import { doneFrame, endingOf, eventFrame, keepAlive, retryAfter } from './frame.js';

/** More than this unsent and the client is cut: it resumes where it was, and nobody else pays for it. */
const mostUnsent = 128 * 1024;

/** One open event stream: what was sent, what waits, when it last moved. */
export class Reader {
  /** Follows the feed; false while it is still reading what happened before. */
  live = false;
  private waitingSince: number | undefined;
  private lastWrite: number;

  constructor(
    private readonly response: ServerResponse,
    readonly actor: Actor,
    /** The sequence number of the last event that was sent. */
    public sent: number,
    private readonly now: () => number,
  ) {
    this.lastWrite = now();
    response.on('drain', () => (this.waitingSince = undefined));
  }

  get open(): boolean {
    return !this.response.destroyed && !this.response.writableEnded;
  }

  send(event: RunEvent, frame: Buffer | string = eventFrame(event)): void {
    if (!this.open || event.sequence <= this.sent) return;
    if (this.response.writableLength > mostUnsent) return this.cut();
    this.sent = event.sequence;
    this.write(frame);
    const ending = endingOf(event);
    if (ending) this.finish(ending, event.occurredAt);
  }

  /** Sends what follows on the last that was sent, as far as it goes out at once; the rest is read again. */
  begin(events: readonly RunEvent[]): void {
    for (const event of events) {
      if (!this.open || this.response.writableNeedDrain || event.sequence !== this.sent + 1) return;
      this.send(event);
    }
  }

  finish(status: RunStatus, occurredAt: string): void {
    if (this.open) this.response.end(doneFrame(this.sent, status, occurredAt));
  }

  /** Says goodbye without an end: the client comes back, here or elsewhere. */
  leave(retryMs: number): void {
    if (this.open) this.response.end(retryAfter(retryMs));
  }

  cut(): void {
    this.response.destroy();
  }

  /** Resolves when the client has taken what was sent, or is gone. */
  async drained(): Promise<void> {
    if (!this.open || !this.response.writableNeedDrain) return;
    await new Promise<void>((resolve) => {
      const settle = (): void => {
        this.response.off('drain', settle);
        this.response.off('close', settle);
        resolve();
      };
      this.response.once('drain', settle);
      this.response.once('close', settle);
    });
  }

  /** Called every second: comments keep a quiet line open, a line that takes nothing is cut. */
  tick({ keepAliveMs, stallMs }: { keepAliveMs: number; stallMs: number }): void {
    const now = this.now();
    if (this.waitingSince !== undefined && now - this.waitingSince >= stallMs) this.cut();
    else if (now - this.lastWrite >= keepAliveMs && this.open) this.write(keepAlive);
  }

  private write(frame: Buffer | string): void {
    this.lastWrite = this.now();
    if (!this.response.write(frame)) this.waitingSince ??= this.lastWrite;
  }
}
