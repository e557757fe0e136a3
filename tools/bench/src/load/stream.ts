import type { Socket } from 'node:net';
import { open } from './connection.js';
import { Chunks, Frames } from './frames.js';

/** One open event stream on its own connection. */
export class Stream {
  private head = '';
  private chunks: Chunks | undefined;
  /** Settles with the status when the response headers have arrived. */
  readonly begun: Promise<number>;
  readonly closed: Promise<void>;

  private constructor(
    private readonly socket: Socket,
    onFrame: (frame: string) => void,
  ) {
    const frames = new Frames(onFrame);
    let begin: (status: number) => void = () => undefined;
    this.begun = new Promise((resolve) => (begin = resolve));
    this.closed = new Promise((resolve) => socket.once('close', () => resolve()));
    void this.closed.then(() => begin(0));
    socket.on('data', (data) => {
      if (this.chunks) return this.chunks.push(data);
      this.head += data.toString('latin1');
      const end = this.head.indexOf('\r\n\r\n');
      if (end < 0) return;
      const status = Number(this.head.slice(9, 12));
      const rest = Buffer.from(this.head.slice(end + 4), 'latin1');
      this.chunks = new Chunks((text) => frames.push(text));
      begin(status);
      this.chunks.push(rest);
    });
  }

  static async connect(port: number, onFrame: (frame: string) => void): Promise<Stream> {
    return new Stream(await open(port), onFrame);
  }

  ask(request: Buffer): void {
    this.socket.write(request);
  }

  close(): void {
    this.socket.destroy();
  }
}
