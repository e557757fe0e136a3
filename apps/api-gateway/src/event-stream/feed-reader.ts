import type { Actor } from '@lensforge/core';
import type { LogEvent } from './frame.js';

/** Gets the events of a log in order. */
export interface FeedReader<E extends LogEvent> {
  readonly actor: Actor;
  /** True once the reader follows the feed; false while it still receives stored events. */
  live: boolean;
  /** The sequence number of the last event that it got. */
  readonly sent: number;
  readonly open: boolean;
  send(event: E, frame?: Buffer): void;
  /** Resolves when it can take more or has ended. */
  drained(): Promise<void>;
  /** Ends it, since the events cannot be read or the caller may no longer read them. */
  cut(): void;
}
