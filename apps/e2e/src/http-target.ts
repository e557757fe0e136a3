import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A call of an `http` node. */
export interface Call {
  /** Its idempotency key: the run and the node. */
  work: string;
  path: string;
}

/** A server for `http` nodes: records calls, and responds with `{"n":7}` and the given status. */
export class HttpTarget {
  readonly calls: Call[] = [];

  private readonly server = createServer((request, response) => {
    const call = { work: String(request.headers['idempotency-key']), path: request.url ?? '/' };
    this.calls.push(call);
    void Promise.resolve(this.statusFor(call)).then((status) =>
      response.writeHead(status, { 'content-type': 'application/json', connection: 'close' }).end('{"n":7}'),
    );
  });

  constructor(private readonly statusFor: (call: Call) => number | Promise<number>) {}

  async open(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
  }

  get address(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  timesOf(work: string): number {
    return this.calls.filter((call) => call.work === work).length;
  }

  close(): void {
    this.server.close();
  }
}
