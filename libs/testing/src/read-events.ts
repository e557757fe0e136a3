import { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
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
  /** Status and headers of the response. */
  readonly opened: Promise<{ status: number; headers: IncomingHttpHeaders }>;
  /** The comment lines so far, with their colon. */
  readonly comments: readonly string[];
  /** The received text so far. */
  readonly text: string;
  /** Closes the connection. */
  close(): void;
}

export class StreamRefused extends Error {
  override readonly name = 'StreamRefused';
  constructor(
    readonly status: number,
    readonly body: string,
  ) {
    super(`the event stream was refused with status ${status}: ${body.slice(0, 200)}`);
  }
}

function open(url: string, { headers, lastEventId, signal }: ReadOptions): [ClientRequest, Promise<IncomingMessage>] {
  const resume = lastEventId === undefined ? {} : { 'last-event-id': lastEventId };
  const outgoing = request(url, {
    agent: false,
    headers: { accept: 'text/event-stream', ...headers, ...resume },
    ...(signal ? { signal } : {}),
  });
  const response = new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.once('response', resolve);
    outgoing.on('error', reject);
  });
  response.catch(() => {});
  outgoing.end();
  return [outgoing, response];
}

class Reader implements EventStream {
  private received = '';
  private readonly request: ClientRequest;
  private readonly response: Promise<IncomingMessage>;
  readonly opened: EventStream['opened'];

  constructor(url: string, options: ReadOptions) {
    [this.request, this.response] = open(url, options);
    this.opened = this.response.then(({ statusCode, headers }) => ({ status: statusCode ?? 0, headers }));
    this.opened.catch(() => {});
  }

  get text(): string {
    return this.received;
  }

  get comments(): readonly string[] {
    return this.received.split(/\r\n|\n|\r/).filter((line) => line.startsWith(':'));
  }

  close(): void {
    this.request.destroy();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<StreamEvent, void> {
    const response = await this.response;
    response.setEncoding('utf8');
    const chunks = response as AsyncIterable<string>;
    const isStream = response.headers['content-type']?.startsWith('text/event-stream');
    if (response.statusCode !== 200 || !isStream) {
      for await (const chunk of chunks) this.received += chunk;
      throw new StreamRefused(response.statusCode ?? 0, this.received);
    }
    const ready: StreamEvent[] = [];
    const parser = createParser({ onEvent: ({ id, event, data }) => ready.push({ id, event, data }) });
    try {
      for await (const chunk of chunks) {
        this.received += chunk;
        parser.feed(chunk);
        yield* ready.splice(0);
      }
    } finally {
      this.close();
    }
  }
}

/** Reads a stream of server-sent events at the pace of its consumer. Throws when the connection is lost. */
export const readEvents = (url: string, options: ReadOptions = {}): EventStream => new Reader(url, options);
