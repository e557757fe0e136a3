import { ConnectionError } from './errors.js';
import { type OutgoingRequest, type Transport, toAbortReason } from './transport.js';

/** The parts of a body as text. Its end, also by `break` of a loop, closes the connection. */
export async function* decodeText(body: ReadableStream<Uint8Array> | null): AsyncGenerator<string, void, undefined> {
  if (!body) return;
  const reader = body.getReader();
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      yield decoder.decode(value, { stream: true });
    }
    yield decoder.decode();
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** A download of JSON objects, one in each line. */
export class LineStream<T> implements AsyncIterable<T> {
  constructor(
    private readonly transport: Transport,
    private readonly request: OutgoingRequest,
  ) {}

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    const { response, done } = await this.transport.send({ ...this.request, streams: true });
    let rest = '';
    try {
      for await (const part of decodeText(response.body)) {
        const lines = (rest + part).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) if (line !== '') yield JSON.parse(line) as T;
      }
      if (rest !== '') yield JSON.parse(rest) as T;
    } catch (error) {
      const { signal } = this.request.options;
      if (signal?.aborted) throw toAbortReason(signal);
      throw new ConnectionError('The download was cut: request it again', { cause: error });
    } finally {
      done();
    }
  }
}
