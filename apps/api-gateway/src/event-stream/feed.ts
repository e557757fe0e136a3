import { type LogEvent, eventFrame } from './frame.js';
import type { FeedReader } from './feed-reader.js';

const pageSize = 500;

export type ReadAfter<E> = (id: string, after: number, limit: number) => Promise<E[]>;

/**
 * The events of one log for all of its readers in this process. A published event that is next in sequence goes straight
 * to the readers; after a gap, the feed reads PostgreSQL.
 */
export class Feed<E extends LogEvent> {
  readonly readers = new Set<FeedReader<E>>();
  /** The sequence number up to which all live readers have the events. */
  private position = 0;
  private newestKnown = 0;
  private filling: Promise<void> | undefined;

  constructor(
    readonly id: string,
    private readonly readAfter: ReadAfter<E>,
    private readonly onError: (reason: unknown) => void,
  ) {}

  /** Takes a published event, which may arrive early, late, twice or after a gap. */
  receive(event: E): void {
    this.newestKnown = Math.max(this.newestKnown, event.sequence);
    if (event.sequence === this.position + 1 && !this.filling) this.forward(event);
    else if (event.sequence > this.position) this.fill();
  }

  /** Reads missing events up to the sequence number that PostgreSQL has for the log. */
  fillUpTo(sequence: number): void {
    this.newestKnown = Math.max(this.newestKnown, sequence);
    if (sequence > this.position) this.fill();
  }

  /** Sends a reader the stored events that it lacks, at its own pace, until it can follow live. */
  async catchUp(reader: FeedReader<E>): Promise<void> {
    while (reader.open) {
      const page = await this.readAfter(this.id, reader.sent, pageSize);
      for (const event of page) {
        reader.send(event);
        await reader.drained();
      }
      if (page.length === pageSize) continue;
      if (reader.sent >= Math.max(this.newestKnown, this.hasLiveReader() ? this.position : 0)) break;
    }
    // Live readers may still lack events that this reader has just read.
    if (!this.hasLiveReader()) this.position = reader.sent;
    reader.live = true;
  }

  /** Fills a gap with one read for all live readers. */
  private fill(): void {
    if (this.filling) return;
    this.filling = this.fillGap()
      .catch(this.onError)
      .finally(() => {
        this.filling = undefined;
      });
  }

  private async fillGap(): Promise<void> {
    while (this.hasLiveReader() && this.newestKnown > this.position) {
      const page = await this.readAfter(this.id, this.position, pageSize);
      for (const event of page) this.forward(event);
      if (page.length === 0) return;
    }
  }

  private hasLiveReader(): boolean {
    for (const reader of this.readers) if (reader.live && reader.open) return true;
    return false;
  }

  private forward(event: E): void {
    this.position = event.sequence;
    const frame = Buffer.from(eventFrame(event));
    for (const reader of this.readers) if (reader.live) reader.send(event, frame);
  }
}
