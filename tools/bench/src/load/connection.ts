import { type Socket, connect } from 'node:net';

/** A request as bytes, serialized once. */
export interface Call {
  port: number;
  method: 'GET' | 'POST';
  path: string;
  headers?: Readonly<Record<string, string>>;
  body?: string;
  /** The expected status; default 202. */
  status?: number;
}

export interface Answer {
  status: number;
  body: string;
}

export function bytesOf({ port, method, path, headers = {}, body }: Call): Buffer {
  const lines = [`${method} ${path} HTTP/1.1`, `host: 127.0.0.1:${port}`];
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
  if (body !== undefined) lines.push('content-type: application/json', `content-length: ${Buffer.byteLength(body)}`);
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body ?? ''}`);
}

export const open = (port: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    socket.once('connect', () => {
      socket.off('error', reject);
      socket.on('error', () => socket.destroy());
      resolve(socket);
    });
    socket.once('error', reject);
  });

const headEnd = Buffer.from('\r\n\r\n');

/**
 * A keep-alive connection with one request at a time. It reads only a status and a body of known length, because on two
 * cores a heavier client would distort the measurement.
 */
export class Connection {
  private received: Buffer = Buffer.alloc(0);
  private settle: { resolve: (answer: Answer) => void; reject: (reason: Error) => void } | undefined;

  private constructor(private readonly socket: Socket) {
    socket.on('data', (data) => {
      this.received = this.received.length === 0 ? data : Buffer.concat([this.received, data]);
      this.read();
    });
    socket.on('close', () => this.settle?.reject(new Error('the connection was closed before the answer')));
  }

  static async to(port: number): Promise<Connection> {
    return new Connection(await open(port));
  }

  send(request: Buffer): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.settle = { resolve, reject };
      if (this.socket.destroyed) reject(new Error('the connection is closed'));
      else this.socket.write(request);
    });
  }

  close(): void {
    this.settle = undefined;
    this.socket.destroy();
  }

  private read(): void {
    const end = this.received.indexOf(headEnd);
    if (end < 0) return;
    const head = this.received.toString('latin1', 0, end);
    const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
    const total = end + headEnd.length + length;
    if (this.received.length < total) return;
    const body = this.received.toString('utf8', end + headEnd.length, total);
    this.received = this.received.subarray(total);
    const { settle } = this;
    this.settle = undefined;
    settle?.resolve({ status: Number(head.slice(9, 12)), body });
  }
}
