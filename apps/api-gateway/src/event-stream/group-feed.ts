import type { RunStatus } from '@lensforge/contracts';
import type { RunStream, StreamPosition, StreamedEvent } from '@lensforge/runs';
import type { GroupReader } from './group-reader.js';

export interface GroupFeedParts {
  /** Writes what is new into the book of the stream, and says how far it goes. */
  advance: () => Promise<StreamPosition | undefined>;
  /** The events of so many places. */
  read: (after: number, most: number) => Promise<StreamedEvent[]>;
  endings: () => Promise<Partial<Record<RunStatus, number>>>;
  now: () => Date;
  onFault: (reason: unknown) => void;
}

const pageSize = 200;
const soonMs = 200;
const latestMs = 1000;

/** The events of a group of runs for all who follow it here: looked for in Postgres, often while there are some. */
export class GroupFeed {
  readonly readers = new Set<GroupReader>();
  private place: StreamPosition = { position: 0, ended: false };
  private readonly pages = new Map<string, Promise<StreamedEvent[]>>();
  private waitMs = soonMs;
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;

  constructor(
    private readonly stream: RunStream,
    private readonly parts: GroupFeedParts,
  ) {}

  /** `place` is where the book was found. */
  add(reader: GroupReader, place: StreamPosition): void {
    this.readers.add(reader);
    this.come(place);
    this.timer ??= this.later();
  }

  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  private later(): NodeJS.Timeout {
    return setTimeout(() => void this.look(), this.waitMs);
  }

  private async look(): Promise<void> {
    try {
      const place = await this.parts.advance();
      if (place) this.come(place);
    } catch (reason) {
      this.parts.onFault(reason);
    }
    if (!this.stopped) this.timer = this.later();
  }

  private come(place: StreamPosition): void {
    if (place.position < this.place.position) return;
    this.waitMs = place.position > this.place.position ? soonMs : Math.min(this.waitMs * 1.5, latestMs);
    this.place = place;
    for (const reader of this.readers) if (!reader.served) void this.serve(reader);
  }

  /** Each reader at its own pace; those at the same place share what is read. */
  private async serve(reader: GroupReader): Promise<void> {
    reader.served = true;
    try {
      while (reader.open && reader.sent < this.place.position) {
        const upTo = Math.min(reader.sent + pageSize, this.place.position);
        for (const event of await this.page(reader.sent, upTo)) {
          reader.send(event);
          await reader.drained();
        }
        reader.sent = Math.max(reader.sent, upTo);
      }
      if (reader.open && !this.stream.endless && this.place.ended) {
        reader.finish(await this.parts.endings(), this.parts.now().toISOString());
      }
    } catch (reason) {
      this.parts.onFault(reason);
      reader.cut();
    } finally {
      reader.served = false;
    }
  }

  private page(after: number, upTo: number): Promise<StreamedEvent[]> {
    const key = `${after} ${upTo}`;
    let page = this.pages.get(key);
    if (!page) {
      page = this.parts.read(after, upTo - after);
      this.pages.set(key, page);
      const forget = (): void => void this.pages.delete(key);
      page.then(forget, forget);
    }
    return page;
  }
}
