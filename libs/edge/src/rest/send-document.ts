import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { successEnvelope } from './envelope.js';

/** The connection of a client that reads nothing for this time is closed. */
const maxIdleMs = 30_000;

export interface LongDocument {
  /** All members except the long one. */
  document: object;
  /** The name of the long member, a list. Its items are JSON, and are read as fast as the client receives them. */
  member: string;
  items: AsyncIterable<string>;
}

/** Streams a document in the envelope, so that it is never in memory as a whole. */
export async function sendDocument(request: FastifyRequest, reply: FastifyReply, long: LongDocument): Promise<void> {
  const text = writeDocument(long, () => successEnvelope(null, request.id, Math.round(reply.elapsedTime)).meta);
  await sendText(reply, 'application/json', text);
}

/** Streams lines of JSON, which are read as fast as the client receives them. Each part has one or more whole lines. */
export async function sendLines(reply: FastifyReply, parts: AsyncIterable<string>): Promise<void> {
  await sendText(reply, 'application/x-ndjson', parts);
}

async function sendText(reply: FastifyReply, type: string, text: AsyncIterable<string>): Promise<void> {
  reply.raw.setTimeout(maxIdleMs, () => reply.raw.destroy());
  await reply.type(`${type}; charset=utf-8`).send(Readable.from(text, { objectMode: false, highWaterMark: 65_536 }));
}

async function* writeDocument({ document, member, items }: LongDocument, meta: () => object): AsyncGenerator<string> {
  const others = JSON.stringify(document).slice(0, -1);
  yield `{"data":${others}${others === '{' ? '' : ','}${JSON.stringify(member)}:[`;
  let separator = '';
  for await (const item of items) {
    yield separator + item;
    separator = ',';
  }
  yield `]},"meta":${JSON.stringify(meta())},"error":null}`;
}
