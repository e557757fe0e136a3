import type { Timing } from './timing.js';

/** Younger text waits for company; text is at most this old when it is written. */
const leastMs = 30;
const mostMs = 45;

export interface TextOf<K> {
  of: K;
  text: string;
}

export interface DeltaStream {
  add(text: string): void;
  /** Ends the stream: waits for what is being written and gives back what is not. */
  close(): Promise<string>;
}

class Stream<K> {
  text = '';
  since = 0;
  open = true;
  writing: Promise<void> | undefined;

  constructor(readonly of: K) {}
}

/**
 * Gathers the pieces that providers stream until they are worth a statement. All streams of a process share one timer
 * and one write; a stream that ends within the time costs no write at all.
 */
export class Deltas<K> {
  /** Those with text, the oldest text first. */
  private readonly waiting = new Set<Stream<K>>();
  private timer: unknown;

  constructor(
    private readonly write: (texts: readonly TextOf<K>[]) => Promise<void>,
    private readonly timing: Timing,
  ) {}

  open(of: K): DeltaStream {
    const stream = new Stream(of);
    return {
      add: (text) => {
        if (text === '' || !stream.open) return;
        stream.text += text;
        if (!stream.writing) this.await(stream);
      },
      close: async () => {
        stream.open = false;
        this.waiting.delete(stream);
        if (stream.writing) await stream.writing;
        return stream.text;
      },
    };
  }

  private await(stream: Stream<K>): void {
    if (this.waiting.has(stream)) return;
    stream.since = this.timing.now();
    this.waiting.add(stream);
    this.arm();
  }

  private arm(): void {
    const [oldest] = this.waiting;
    if (this.timer || !oldest) return;
    this.timer = this.timing.after(Math.max(0, oldest.since + mostMs - this.timing.now()), () => {
      this.timer = undefined;
      this.flush();
      this.arm();
    });
  }

  private flush(): void {
    const now = this.timing.now();
    const due = [...this.waiting].filter(({ since }) => now - since >= leastMs);
    if (due.length === 0) return;
    const texts = due.map((stream) => {
      const { of, text } = stream;
      this.waiting.delete(stream);
      stream.text = '';
      return { of, text };
    });
    const writing = this.write(texts).then(() => {
      for (const stream of due) {
        stream.writing = undefined;
        if (stream.open && stream.text !== '') this.await(stream);
      }
    });
    for (const stream of due) stream.writing = writing;
  }
}
