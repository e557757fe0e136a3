import type { Timing } from './timing.js';

/** Text is written when it is at least `leastMs` old, together with other text, and at most `maxMs`. */
const leastMs = 30;
const maxMs = 45;

export interface TextOf<K> {
  source: K;
  text: string;
}

export interface DeltaStream {
  add(text: string): void;
  /** Ends the stream: waits for its running write and returns the text that is not written. */
  close(): Promise<string>;
}

class Stream<K> {
  text = '';
  since = 0;
  open = true;
  writing: Promise<void> | undefined;

  constructor(readonly source: K) {}
}

/**
 * Batches the text that providers stream. All streams of a process share one timer and one write; a stream that ends
 * before the timer costs no write.
 */
export class DeltaBatcher<K> {
  /** Streams with unwritten text, the oldest text first. */
  private readonly waiting = new Set<Stream<K>>();
  private timer: unknown;

  constructor(
    private readonly write: (texts: readonly TextOf<K>[]) => Promise<void>,
    private readonly timing: Timing,
  ) {}

  open(source: K): DeltaStream {
    const stream = new Stream(source);
    return {
      add: (text) => {
        if (text === '' || !stream.open) return;
        stream.text += text;
        if (!stream.writing) this.enqueue(stream);
      },
      close: async () => {
        stream.open = false;
        this.waiting.delete(stream);
        if (stream.writing) await stream.writing;
        return stream.text;
      },
    };
  }

  private enqueue(stream: Stream<K>): void {
    if (this.waiting.has(stream)) return;
    stream.since = this.timing.now();
    this.waiting.add(stream);
    this.arm();
  }

  private arm(): void {
    const [oldest] = this.waiting;
    if (this.timer || !oldest) return;
    this.timer = this.timing.after(Math.max(0, oldest.since + maxMs - this.timing.now()), () => {
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
      const { source, text } = stream;
      this.waiting.delete(stream);
      stream.text = '';
      return { source, text };
    });
    const writing = this.write(texts).then(() => {
      for (const stream of due) {
        stream.writing = undefined;
        if (stream.open && stream.text !== '') this.enqueue(stream);
      }
    });
    for (const stream of due) stream.writing = writing;
  }
}
