import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import type { Context } from '@lensforge/core';
import { NotJson, parseJson } from '@lensforge/edge';
import type { Dispatch } from './dispatch.js';
import type { JsonRpcId } from './json-rpc.js';
import { codes, errorReply, idOf, isRecord } from './json-rpc.js';
import { eraOf } from './protocol.js';

export interface StdioTransport {
  readonly input: Readable;
  readonly output: Writable;
  readonly dispatch: Dispatch;
  /** A context of its own for each message. */
  readonly context: () => Context;
}

/** One message a line, in both directions. Ends when the input does, after what is under way was answered. */
export async function serveStdio({ input, output, dispatch, context }: StdioTransport): Promise<void> {
  const underWay = new Map<JsonRpcId, AbortController>();
  const work = new Set<Promise<void>>();

  const say = (reply: unknown): Promise<void> =>
    new Promise((resolve) => {
      if (!output.writable) resolve();
      else output.write(`${JSON.stringify(reply)}\n`, () => resolve());
    });

  const answer = async (line: string): Promise<void> => {
    let message: unknown;
    try {
      message = parseJson(line);
    } catch (error) {
      if (!(error instanceof NotJson)) throw error;
      await say(errorReply(null, { code: codes.parseError, message: `Parse error: the line ${error.message}` }));
      return;
    }
    const cancelled = cancelledBy(message);
    if (cancelled !== undefined) underWay.get(cancelled)?.abort();
    const id = idOf(message);
    const controller = new AbortController();
    if (id !== null) underWay.set(id, controller);
    const { reply } = await dispatch(context(), message, { era: eraOf(message), signal: controller.signal });
    if (id !== null && underWay.get(id) === controller) underWay.delete(id);
    if (reply !== undefined && !controller.signal.aborted) await say(reply);
  };

  const left = new Promise<void>((resolve) => output.once('error', resolve).once('close', resolve));
  const lines = createInterface({ input, crlfDelay: Infinity });
  lines.on('line', (line) => {
    if (line.trim() === '') return;
    const one = answer(line).finally(() => work.delete(one));
    work.add(one);
  });
  const ended = new Promise<void>((resolve) => {
    lines.once('close', resolve);
    input.once('close', resolve);
  });
  await Promise.race([ended, left]);
  lines.close();
  await Promise.race([Promise.all(work), left]);
}

/** The request that nobody waits for any more. */
function cancelledBy(message: unknown): JsonRpcId | undefined {
  if (!isRecord(message) || message['method'] !== 'notifications/cancelled' || !isRecord(message['params']))
    return undefined;
  const { requestId } = message['params'];
  return typeof requestId === 'string' || typeof requestId === 'number' ? requestId : undefined;
}
