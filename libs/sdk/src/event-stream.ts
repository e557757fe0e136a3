import type { CallOptions } from './call.js';
import { ApiError, ConnectionError, LensforgeError } from './errors.js';
import { decodeText } from './line-stream.js';
import { type OutgoingRequest, type Transport, delayMs, pause, toAbortReason } from './transport.js';

export interface StreamOptions extends Pick<CallOptions, 'signal' | 'headers'> {
  /** The id of the last event that was processed; the stream begins after it. */
  lastEventId?: string | undefined;
  /** Connections in a row that may fail without an event before the stream ends with an error; 10 when absent. */
  maxReconnects?: number | undefined;
  /** Milliseconds without data after which the connection counts as lost; the platform sends a comment every 15 seconds. */
  idleMs?: number | undefined;
  /** Called with the error before each new connection. */
  onReconnect?: ((error: LensforgeError) => void) | undefined;
}

export interface Frame {
  id: string;
  event: string;
  data: string;
}

/** Reads frames of server-sent events from parts of text, which may end anywhere. */
export async function* framesIn(parts: AsyncIterable<string>): AsyncGenerator<Frame, void, undefined> {
  let rest = '';
  let frame: Frame = { id: '', event: '', data: '' };
  for await (const part of parts) {
    // A carriage return at the end may be the first half of a line break.
    const text = rest + part;
    const lines = text.split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line === '') {
        if (frame.data !== '') yield frame;
        frame = { id: frame.id, event: '', data: '' };
        continue;
      }
      const [, name = '', value = ''] = /^([^:]*):? ?([^]*)$/.exec(line) ?? [];
      if (name === 'data') frame.data += frame.data === '' ? value : `\n${value}`;
      else if (name === 'id' || name === 'event') frame[name] = value;
    }
  }
}

/** The parts of a body; throws when none arrives for this time. */
async function* withIdleLimit(body: ReadableStream<Uint8Array> | null, idleMs: number): AsyncGenerator<string> {
  const parts = decodeText(body);
  const idle = Symbol('idle');
  try {
    for (;;) {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const limit = new Promise<typeof idle>((resolve) => (timer = setTimeout(() => resolve(idle), idleMs)));
      const next = parts.next();
      const first = await Promise.race([next, limit]).finally(() => clearTimeout(timer));
      if (first === idle) {
        next.catch(() => undefined);
        await body?.cancel().catch(() => undefined);
        throw new ConnectionError(`No data arrived for ${idleMs} ms`);
      }
      if (first.done) return;
      yield first.value;
    }
  } finally {
    void parts.return();
  }
}

/** The events of a log in order. A lost connection is opened again after the last event; the end of the log ends it. */
export class EventStream<E extends { id: string }> implements AsyncIterable<E> {
  constructor(
    private readonly transport: Transport,
    private readonly request: OutgoingRequest,
    private readonly options: StreamOptions,
  ) {}

  async *[Symbol.asyncIterator](): AsyncGenerator<E, void, undefined> {
    const { signal, maxReconnects = 10, onReconnect } = this.options;
    let last = this.options.lastEventId;
    for (let failures = 0; ; failures += 1) {
      try {
        for await (const frame of this.connection(last)) {
          failures = 0;
          if (frame.event === 'done') return;
          last = frame.id === '' ? last : frame.id;
          yield { ...(JSON.parse(frame.data) as object), id: frame.id } as E;
        }
        return;
      } catch (error) {
        if (signal?.aborted) throw toAbortReason(signal);
        if (failures >= maxReconnects || !isTransient(error)) throw error;
        onReconnect?.(error);
        await pause(delayMs(Math.min(failures, 5), error instanceof ApiError ? error.retryAfter : 0), signal);
      }
    }
  }

  /** The frames of one connection. It throws when the connection is lost before the frame `done`. */
  private async *connection(last: string | undefined): AsyncGenerator<Frame, void, undefined> {
    const { signal, headers, idleMs = 45_000 } = this.options;
    const controller = new AbortController();
    const abort = (): void => controller.abort(signal?.reason);
    signal?.addEventListener('abort', abort, { once: true });
    let done = (): void => undefined;
    try {
      const answer = await this.transport.send({
        ...this.request,
        headers: { accept: 'text/event-stream', ...(last !== undefined && { 'last-event-id': last }) },
        options: { signal: controller.signal, maxRetries: 0, headers },
        streams: true,
      });
      ({ done } = answer);
      // Nothing follows the last event that was seen.
      if (answer.response.status === 204) return;
      for await (const frame of framesIn(withIdleLimit(answer.response.body, idleMs))) {
        yield frame;
        if (frame.event === 'done') return;
      }
    } catch (error) {
      if (error instanceof LensforgeError) throw error;
      throw new ConnectionError('The event stream was cut', { cause: error });
    } finally {
      controller.abort();
      done();
      signal?.removeEventListener('abort', abort);
    }
    throw new ConnectionError('The event stream ended before the last event');
  }
}

const isTransient = (error: unknown): error is LensforgeError =>
  error instanceof ApiError ? error.status === 429 || error.status >= 500 : error instanceof LensforgeError;
