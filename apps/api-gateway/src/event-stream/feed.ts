import type { RunEvent } from '@lensforge/contracts';
import { eventFrame } from './frame.js';
import type { Reader } from './reader.js';

const pageSize = 500;

export type ReadAfter = (runId: string, after: number, most: number) => Promise<RunEvent[]>;

/**
 * The events of one run as this process sees them, for all who watch it here. A published event that is the next in
 * sequence is written through; whenever one is missing, Postgres is read.
 */
export class Feed {
  readonly readers = new Set<Reader>();
  /** Up to here all live readers have been told. */
  private position = 0;
  private heard = 0;
  private filling: Promise<void> | undefined;

  constructor(
    readonly runId: string,
    private readonly readAfter: ReadAfter,
    private readonly onFault: (reason: unknown) => void,
  ) {}

  /** An event as it was published; it may be early, late, twice, or the only one of several that arrived. */
  hear(event: RunEvent): void {
    this.heard = Math.max(this.heard, event.sequence);
    if (event.sequence === this.position + 1 && !this.filling) this.pass(event);
    else if (event.sequence > this.position) this.fill();
  }

  /** Postgres says that the run has come this far. */
  reached(sequence: number): void {
    this.heard = Math.max(this.heard, sequence);
    if (sequence > this.position) this.fill();
  }

  /** Reads what a reader has not been sent, at the reader's own pace, until it can follow live. */
  async catchUp(reader: Reader): Promise<void> {
    while (reader.open) {
      const page = await this.readAfter(this.runId, reader.sent, pageSize);
      for (const event of page) {
        reader.send(event);
        await reader.drained();
      }
      if (page.length === pageSize) continue;
      if (reader.sent >= Math.max(this.heard, this.isWatchedLive() ? this.position : 0)) break;
    }
    // Live readers are still to be told what this one has read ahead of them.
    if (!this.isWatchedLive()) this.position = reader.sent;
    reader.live = true;
  }

  /** One read for all who are live, when the published events have a gap. */
  private fill(): void {
    if (this.filling) return;
    this.filling = this.fillGap()
      .catch(this.onFault)
      .finally(() => {
        this.filling = undefined;
      });
  }

  private async fillGap(): Promise<void> {
    while (this.isWatchedLive() && this.heard > this.position) {
      const page = await this.readAfter(this.runId, this.position, pageSize);
      for (const event of page) this.pass(event);
      if (page.length === 0) return;
    }
  }

  private isWatchedLive(): boolean {
    for (const reader of this.readers) if (reader.live && reader.open) return true;
    return false;
  }

  private pass(event: RunEvent): void {
    this.position = event.sequence;
    const frame = Buffer.from(eventFrame(event));
    for (const reader of this.readers) if (reader.live) reader.send(event, frame);
  }
}
