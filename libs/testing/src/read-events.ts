import type { ClientRequest, IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { request } from 'node:http';
import { createParser } from 'eventsource-parser';

export interface StreamEvent {
  id: string | undefined;
  event: string | undefined;
  data: string;
}

export interface ReadOptions {
  headers?: Record<string, string>;
  lastEventId?: string;
  signal?: AbortSignal;
}

export interface EventStream extends AsyncIterable<StreamEvent> {
  /** Status and headers, before any event. */
  readonly opened: Promise<{ status: number; headers: IncomingHttpHeaders }>;
  /** Comment lines so far, each as it stood on the wire, with its colon. */
  readonly comments: readonly string[];
  /** Every byte so far. */
  readonly text: string;
  /** Hangs up. */
  close(): void;
}

export class StreamRefused extends Error {
  override readonly name = 'StreamRefused';
  constructor(
    readonly status: number,
    readonly body: string,
  ) {
    super(`the stream was answered with ${status}: ${body.slice(0, 200)}`);
  }
}

function open(url: string, { headers, lastEventId, signal }: ReadOptions): [ClientRequest, Promise<IncomingMessage>] {
  const resume = lastEventId === undefined ? {} : { 'last-event-id': lastEventId };
  const call = request(url, {
    agent: false,
    headers: { accept: 'text/event-stream', ...headers, ...resume },
    ...(signal ? { signal } : {}),
  });
  const answer = new Promise<IncomingMessage>((resolve, reject) => {
    call.once('response', resolve);
    call.on('error', reject);
  });
  answer.catch(() => {});
  call.end();
  return [call, answer];
}

class Reader implements EventStream {
  private seen = '';
  private readonly call: ClientRequest;
  private readonly answer: Promise<IncomingMessage>;
  readonly opened: EventStream['opened'];

  constructor(url: string, options: ReadOptions) {
    [this.call, this.answer] = open(url, options);
    this.opened = this.answer.then(({ statusCode, headers }) => ({ status: statusCode ?? 0, headers }));
    this.opened.catch(() => {});
  }

  get text(): string {
    return this.seen;
  }

  get comments(): readonly string[] {
    return this.seen.split(/\r\n|\n|\r/).filter((line) => line.startsWith(':'));
  }

  close(): void {
    this.call.destroy();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<StreamEvent, void> {
    const answer = await this.answer;
    answer.setEncoding('utf8');
    const chunks = answer as AsyncIterable<string>;
    const isStream = answer.headers['content-type']?.startsWith('text/event-stream');
    if (answer.statusCode !== 200 || !isStream) {
      for await (const chunk of chunks) this.seen += chunk;
      throw new StreamRefused(answer.statusCode ?? 0, this.seen);
    }
    const ready: StreamEvent[] = [];
    const parser = createParser({ onEvent: ({ id, event, data }) => ready.push({ id, event, data }) });
    try {
      for await (const chunk of chunks) {
        this.seen += chunk;
        parser.feed(chunk);
        yield* ready.splice(0);
      }
    } finally {
      this.close();
    }
  }
}

/** Reads a server-sent event stream at the pace of its consumer; a connection that breaks off throws. */
export const readEvents = (url: string, options: ReadOptions = {}): EventStream => new Reader(url, options);
