import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { successEnvelope } from './envelope.js';

/** A reader that takes nothing for so long is given up. */
const mostIdleMs = 30_000;

export interface LongDocument {
  /** All members but the one that is long. */
  document: object;
  /** The long member: the name of a list, and its items as JSON, which are read as fast as the client takes them. */
  member: string;
  items: AsyncIterable<string>;
}

/** Sends a document in our envelope part by part, so that it is never in memory as a whole. */
export async function sendDocument(request: FastifyRequest, reply: FastifyReply, long: LongDocument): Promise<void> {
  const text = textOf(long, () => successEnvelope(null, request.id, Math.round(reply.elapsedTime)).meta);
  reply.raw.setTimeout(mostIdleMs, () => reply.raw.destroy());
  await reply
    .type('application/json; charset=utf-8')
    .send(Readable.from(text, { objectMode: false, highWaterMark: 65_536 }));
}

async function* textOf({ document, member, items }: LongDocument, meta: () => object): AsyncGenerator<string> {
  const others = JSON.stringify(document).slice(0, -1);
  yield `{"data":${others}${others === '{' ? '' : ','}${JSON.stringify(member)}:[`;
  let separator = '';
  for await (const item of items) {
    yield separator + item;
    separator = ',';
  }
  yield `]},"meta":${JSON.stringify(meta())},"error":null}`;
}
