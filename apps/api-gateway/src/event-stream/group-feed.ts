import type { RunStatus } from '@lensforge/contracts';
import type { RunStream, StreamPosition, StreamedEvent } from '@lensforge/runs';
import type { GroupReader } from './group-reader.js';

export interface GroupFeedSource {
  /** Adds new events to the stored stream and returns its position. */
  advance: () => Promise<StreamPosition | undefined>;
  /** Reads events after a position. */
  read: (after: number, limit: number) => Promise<StreamedEvent[]>;
  endings: () => Promise<Partial<Record<RunStatus, number>>>;
  now: () => Date;
  onError: (reason: unknown) => void;
}

const pageSize = 200;
const shortestWaitMs = 200;
const maxWaitMs = 1000;

/** The events of a group of runs for its readers here: polled from PostgreSQL, less often while there are none. */
export class GroupFeed {
  readonly readers = new Set<GroupReader>();
  private progress: StreamPosition = { position: 0, ended: false };
  private readonly pages = new Map<string, Promise<StreamedEvent[]>>();
  private waitMs = shortestWaitMs;
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;

  constructor(
    private readonly stream: RunStream,
    private readonly source: GroupFeedSource,
  ) {}

  /** Adds a reader; `progress` is the position of the stored stream. */
  add(reader: GroupReader, progress: StreamPosition): void {
    this.readers.add(reader);
    this.advanceTo(progress);
    this.timer ??= this.schedule();
  }

  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  private schedule(): NodeJS.Timeout {
    return setTimeout(() => void this.poll(), this.waitMs);
  }

  private async poll(): Promise<void> {
    try {
      const progress = await this.source.advance();
      if (progress) this.advanceTo(progress);
    } catch (reason) {
      this.source.onError(reason);
    }
    if (!this.stopped) this.timer = this.schedule();
  }

  private advanceTo(progress: StreamPosition): void {
    if (progress.position < this.progress.position) return;
    const hasNew = progress.position > this.progress.position;
    this.waitMs = hasNew ? shortestWaitMs : Math.min(this.waitMs * 1.5, maxWaitMs);
    this.progress = progress;
    for (const reader of this.readers) if (!reader.sending) void this.sendTo(reader);
  }

  /** Sends to one reader at its own pace; readers at the same position share a read. */
  private async sendTo(reader: GroupReader): Promise<void> {
    reader.sending = true;
    try {
      while (reader.open && reader.sent < this.progress.position) {
        const upTo = Math.min(reader.sent + pageSize, this.progress.position);
        for (const event of await this.page(reader.sent, upTo)) {
          reader.send(event);
          await reader.drained();
        }
        reader.sent = Math.max(reader.sent, upTo);
      }
      if (reader.open && !this.stream.endless && this.progress.ended) {
        reader.finish(await this.source.endings(), this.source.now().toISOString());
      }
    } catch (reason) {
      this.source.onError(reason);
      reader.cut();
    } finally {
      reader.sending = false;
    }
  }

  private page(after: number, upTo: number): Promise<StreamedEvent[]> {
    const key = `${after} ${upTo}`;
    let page = this.pages.get(key);
    if (!page) {
      page = this.source.read(after, upTo - after);
      this.pages.set(key, page);
      const forget = (): void => void this.pages.delete(key);
      page.then(forget, forget);
    }
    return page;
  }
}
