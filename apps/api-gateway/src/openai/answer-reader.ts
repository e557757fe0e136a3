import type { RunEvent } from '@lensforge/contracts';
import type { Actor } from '@lensforge/core';
import type { FeedReader } from '../event-stream/feed-reader.js';
import type { AnswerFold, AnswerPart } from './answer-fold.js';

/** The connection that a reader writes to; none while an answer is awaited as a whole. */
export interface AnswerConnection {
  readonly open: boolean;
  drained(): Promise<void>;
  cut(): void;
}

export interface AnswerReaderOptions {
  actor: Actor;
  fold: AnswerFold;
  onPart: (part: AnswerPart) => void;
  /** Called when the events cannot be read. */
  onLost: () => void;
  connection?: AnswerConnection | undefined;
}

/** Passes on what the events of a run add to its answer, until it ends or waits for results. */
export class AnswerReader implements FeedReader<RunEvent> {
  live = false;
  sent = 0;
  readonly actor: Actor;
  private ended = false;

  constructor(private readonly options: AnswerReaderOptions) {
    this.actor = options.actor;
  }

  get open(): boolean {
    return !this.ended && this.options.connection?.open !== false;
  }

  send(event: RunEvent): void {
    if (!this.open || event.sequence <= this.sent) return;
    this.sent = event.sequence;
    const part = this.options.fold.take(event);
    if (!part) return;
    this.ended = !('text' in part);
    this.options.onPart(part);
  }

  async drained(): Promise<void> {
    await this.options.connection?.drained();
  }

  cut(): void {
    this.ended = true;
    this.options.onLost();
  }
}
