import { HttpFault } from '@lensforge/edge';
import { SseConnection } from '../event-stream/sse-connection.js';
import { refusal } from './refusal.js';

const expired = new HttpFault(401, 'unauthorized', 'The credential of this stream is no longer valid; the run goes on');

/** A stream of JSON in the form of OpenAI, which programs cannot resume by themselves. */
export class DataStream extends SseConnection {
  send(data: object, event?: string): void {
    if (!this.open) return;
    if (this.overLimit) return this.cut();
    const name = event === undefined ? '' : `event: ${event}\n`;
    this.write(`${name}data: ${JSON.stringify(data)}\n\n`);
  }

  finish(): void {
    this.end('data: [DONE]\n\n');
  }

  /** Ends the stream of responses, whose last event says that it is the last. */
  close(): void {
    this.end('');
  }

  fail(fault: HttpFault): void {
    this.send(refusal(fault));
    this.end('');
  }

  override endWithRetry(): void {
    this.fail(expired);
  }

  /** A process that stops waits for the end of the answer, as for that of every other request. */
  override handOver(): void {
    // The stream goes on.
  }
}
