import { createHmac, timingSafeEqual } from 'node:crypto';
import { type IncomingMessage, createServer } from 'node:http';
import type { Log } from './log.js';

export interface Receiver {
  url: string;
  /** The signing secret; deliveries cannot be verified until it is known. */
  expect(secret: string): void;
  close(): Promise<void>;
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

export function isSigned(body: Buffer, signature: unknown, secret: string): boolean {
  const expected = Buffer.from(`sha256=${createHmac('sha256', secret).update(body).digest('hex')}`);
  const given = Buffer.from(typeof signature === 'string' ? signature : '');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** A minimal webhook receiver: reads the raw body, verifies the signature, responds. */
export async function openReceiver(port: number, log: Log): Promise<Receiver> {
  let secret: string | undefined;
  const server = createServer((request, response) => {
    void readBody(request).then(
      (body) => {
        if (secret === undefined) return response.writeHead(503).end();
        const good = isSigned(body, request.headers['x-service-signature'], secret);
        response.writeHead(good ? 204 : 401).end();
        const id = request.headers['x-service-event-id'];
        if (!good) return log.say('warn', 'webhook received, signature wrong', { id });
        const { event, data } = JSON.parse(body.toString()) as { event: string; data: { runId?: string } };
        log.say('info', 'webhook received, signature ok', { event, runId: data.runId, id });
      },
      () => undefined,
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${port}/webhooks`,
    expect: (value) => {
      secret = value;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
