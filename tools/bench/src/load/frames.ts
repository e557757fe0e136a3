/** Decodes chunked transfer encoding from any split of the bytes. */
export class Chunks {
  private size = '';
  /** Remaining bytes of the chunk, including its line end. */
  private left = 0;

  constructor(private readonly onText: (text: string) => void) {}

  push(data: Buffer): void {
    let at = 0;
    while (at < data.length) {
      if (this.left === 0) {
        const end = data.indexOf(0x0a, at);
        this.size += data.toString('latin1', at, end < 0 ? data.length : end);
        if (end < 0) return;
        this.left = Number.parseInt(this.size, 16) + 2;
        this.size = '';
        at = end + 1;
        continue;
      }
      const text = Math.min(this.left - 2, data.length - at);
      if (text > 0) this.onText(data.toString('latin1', at, at + text));
      const taken = Math.min(this.left, data.length - at);
      this.left -= taken;
      at += taken;
    }
  }
}

/** Splits a text stream into server-sent events; skips comments and directives. */
export class Frames {
  private rest = '';

  constructor(private readonly onFrame: (frame: string) => void) {}

  push(text: string): void {
    const all = this.rest + text;
    let start = 0;
    for (let end = all.indexOf('\n\n'); end >= 0; end = all.indexOf('\n\n', start)) {
      const frame = all.slice(start, end);
      start = end + 2;
      if (!frame.startsWith(':') && !frame.startsWith('retry:')) this.onFrame(frame);
    }
    this.rest = start === 0 ? all : all.slice(start);
  }
}

const mark = '"sequence":';

/** The sequence number in the data of an event, or 0. */
export function sequenceOf(frame: string): number {
  const at = frame.lastIndexOf(mark);
  return at < 0 ? 0 : Number.parseInt(frame.slice(at + mark.length, at + mark.length + 12), 10);
}

export const isLast = (frame: string): boolean => frame.includes('event: done') || frame.endsWith('{"done":true}');
